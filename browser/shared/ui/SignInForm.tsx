import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { signInTexts as t } from '../signInTexts';
import { Button } from './Button';

interface SignInFormProps {
  title?: string;
  hint: string;
  /** The field of the key. */
  field: { id: string; label: string; placeholder: string };
  notice?: string | undefined;
  /** Returns the problem, or undefined once signed in. */
  submit: (key: string) => Promise<string | undefined>;
  /** Below the field. */
  children?: ComponentChildren;
  /** Below the button. */
  alternative?: ComponentChildren;
}

/** The key is sent once and not stored: the session is in an HttpOnly cookie. */
export function SignInForm({ title = t.signIn, hint, field, notice, submit, children, alternative }: SignInFormProps) {
  const [problem, setProblem] = useState(notice);
  const [isBusy, setBusy] = useState(false);
  const key = useRef<HTMLInputElement>(null);
  useEffect(() => key.current?.focus(), []);
  useEffect(() => setProblem(notice), [notice]);

  async function signIn(event: Event): Promise<void> {
    event.preventDefault();
    if (!key.current) return;
    setBusy(true);
    setProblem(undefined);
    const refusal = await submit(key.current.value).catch(() => t.unreachable);
    setBusy(false);
    setProblem(refusal);
    if (refusal === undefined && key.current) key.current.value = '';
    else key.current?.focus();
  }

  return (
    <form class="card sign-in" onSubmit={signIn} aria-labelledby="sign-in">
      <p class="mark">recaudo</p>
      <h1 id="sign-in">{title}</h1>
      <p class="hint">{hint}</p>
      <p class="problem" role="alert">
        {problem}
      </p>
      <label for={field.id}>{field.label}</label>
      <input ref={key} id={field.id} type="password" required autocomplete="off" placeholder={field.placeholder} />
      {children}
      <Button kind="primary" isBusy={isBusy}>
        {t.signIn}
      </Button>
      {alternative}
    </form>
  );
}
