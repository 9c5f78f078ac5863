import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../shared/ui/Button';
import { signIn } from './state';
import { t } from './texts';

/** The key is sent once and kept nowhere: the session is in a cookie that no script can read. */
export function SignIn() {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const key = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = `${t.signIn} – recaudo`;
    key.current?.focus();
  }, []);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const status = await signIn(key.current?.value ?? '');
    setBusy(false);
    if (status === 204) return;
    setProblem(status === 401 ? t.wrongKey : status === 403 ? t.notOperator : t.unreachable);
    key.current?.focus();
  }

  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit} aria-labelledby="sign-in">
        <p class="mark">recaudo</p>
        <h1 id="sign-in">{t.title}</h1>
        <p class="hint">{t.signInHint}</p>
        <p class="problem" role="alert">
          {problem}
        </p>
        <label for="operator-key">{t.key}</label>
        <input ref={key} id="operator-key" type="password" required autocomplete="off" placeholder="ok_…" />
        <Button kind="primary" isBusy={isBusy}>
          {t.signIn}
        </Button>
      </form>
    </main>
  );
}
