import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../shared/ui/Button';
import { MerchantSignIn } from '../shared/ui/MerchantSignIn';
import { closePrompt, signIn, signInPrompt } from './session';
import { t } from './texts';

export function SignInDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const prompt = signInPrompt.value;
  useLayoutEffect(() => {
    if (!prompt) dialog.current?.close();
    else if (!dialog.current?.open) dialog.current?.showModal();
  }, [prompt]);
  const skip = (
    <Button type="button" onClick={closePrompt}>
      {t.lookAround}
    </Button>
  );
  return (
    <dialog ref={dialog} class="entrance" aria-labelledby="sign-in" onClose={closePrompt}>
      <MerchantSignIn notice={prompt?.notice} signIn={signIn} alternative={skip} />
    </dialog>
  );
}
