import { useEffect } from 'preact/hooks';
import { signInTexts } from '../../shared/signInTexts';
import { SignInForm } from '../../shared/ui/SignInForm';
import { signIn } from '../state';
import { t } from '../texts';

export function SignIn() {
  useEffect(() => {
    document.title = `${signInTexts.signIn} – recaudo`;
  }, []);
  return (
    <main class="entrance">
      <SignInForm
        title={t.signInTitle}
        hint={t.signInHint}
        field={{ id: 'operator-key', label: t.key, placeholder: 'ok_…' }}
        submit={signIn}
      />
    </main>
  );
}
