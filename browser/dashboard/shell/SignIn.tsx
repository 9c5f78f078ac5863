import { useEffect, useRef, useState } from 'preact/hooks';
import { Problem } from '../../shared/api/ask';
import { Button } from '../../shared/ui/Button';
import { signIn } from './session';
import { t } from './texts';

export function SignIn({ notice }: { notice?: string | undefined }) {
  useEffect(() => {
    document.title = `${t.signIn} – recaudo`;
  }, []);
  return (
    <main class="sign-in">
      <SignInForm notice={notice} />
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
    <dialog ref={dialog} class="sign-in-again" onCancel={event => event.preventDefault()} onClose={open}>
      <SignInForm notice={t.ended} />
    </dialog>
  );
}

function SignInForm({ notice }: { notice: string | undefined }) {
  const [problem, setProblem] = useState(notice);
  const [isBusy, setBusy] = useState(false);
  const key = useRef<HTMLInputElement>(null);
  const isReadOnly = useRef<HTMLInputElement>(null);
  useEffect(() => key.current?.focus(), []);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const isAccepted = await signIn(key.current?.value ?? '', isReadOnly.current?.checked ?? false).catch(error =>
      error instanceof Problem ? false : undefined,
    );
    setBusy(false);
    if (isAccepted) return;
    setProblem(isAccepted === undefined ? t.unreachable : t.wrongKey);
    key.current?.focus();
  }

  return (
    <form class="card" onSubmit={submit} aria-labelledby="sign-in">
      <p class="mark">recaudo</p>
      <h1 id="sign-in">{t.signIn}</h1>
      <p class="hint">{t.signInHint}</p>
      <p class="problem" role="alert">
        {problem}
      </p>
      <label for="private-key">{t.privateKey}</label>
      <input ref={key} id="private-key" type="password" required autocomplete="off" placeholder="sk_…" />
      <label class="check">
        <input ref={isReadOnly} type="checkbox" />
        {t.onlyRead}
      </label>
      <Button kind="primary" isBusy={isBusy}>
        {t.signIn}
      </Button>
    </form>
  );
}
