import { useEffect, useRef } from 'preact/hooks';
import { signInTexts } from '../../shared/signInTexts';
import { MerchantSignIn } from '../../shared/ui/MerchantSignIn';
import { signIn } from './session';

export function SignIn({ notice }: { notice?: string | undefined }) {
  useEffect(() => {
    document.title = `${signInTexts.signIn} – recaudo`;
  }, []);
  return (
    <main class="entrance">
      <MerchantSignIn notice={notice} signIn={signIn} />
    </main>
  );
}

/** Covers the page, including open dialogs, and keeps it for after the sign-in. */
export function SignInAgain() {
  const dialog = useRef<HTMLDialogElement>(null);
  // Browsers close a dialog on the second Escape, despite `preventDefault`.
  const open = (): void => dialog.current?.showModal();
  useEffect(open, []);
  return (
    <dialog ref={dialog} class="entrance" onCancel={event => event.preventDefault()} onClose={open}>
      <MerchantSignIn notice={signInTexts.ended} signIn={signIn} />
    </dialog>
  );
}
