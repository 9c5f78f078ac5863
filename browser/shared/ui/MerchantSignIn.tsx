import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { signInTexts as t } from '../signInTexts';
import { SignInForm } from './SignInForm';

interface MerchantSignInProps {
  notice: string | undefined;
  /** Returns false if the key was rejected. */
  signIn: (private_key: string, isReadOnly: boolean) => Promise<boolean>;
  alternative?: ComponentChildren;
}

export function MerchantSignIn({ notice, signIn, alternative }: MerchantSignInProps) {
  const isReadOnly = useRef<HTMLInputElement>(null);
  return (
    <SignInForm
      hint={t.hint}
      field={{ id: 'private-key', label: t.privateKey, placeholder: 'sk_…' }}
      notice={notice}
      submit={async key => ((await signIn(key, isReadOnly.current?.checked ?? false)) ? undefined : t.wrongKey)}
      alternative={alternative}
    >
      <label class="check">
        <input ref={isReadOnly} id="read-only" type="checkbox" />
        {t.onlyRead}
      </label>
    </SignInForm>
  );
}
