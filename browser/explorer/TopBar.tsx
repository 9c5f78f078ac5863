import { keepOtherLanguage, otherLanguage } from '../shared/language';
import { signInTexts } from '../shared/signInTexts';
import { Button } from '../shared/ui/Button';
import { ThemeButton } from '../shared/ui/ThemeButton';
import { askToSignIn, session, signOut } from './session';
import { t } from './texts';

export const TopBar = () => (
  <header class="top">
    <h1>
      <strong>recaudo</strong> GraphQL
    </h1>
    <div class="who">
      <Account />
    </div>
    <ThemeButton />
    <a
      href={`?lang=${otherLanguage.code}`}
      lang={otherLanguage.code}
      hreflang={otherLanguage.code}
      onClick={keepOtherLanguage}
    >
      {otherLanguage.name}
    </a>
  </header>
);

function Account() {
  if (!session.value)
    return (
      <Button type="button" onClick={() => askToSignIn()}>
        {signInTexts.signIn}
      </Button>
    );
  const { merchant_id, scope } = session.value;
  return (
    <>
      <span title={t.signedInAs}>
        {merchant_id}
        {scope.includes('read') && ` (${signInTexts.readOnly.toLowerCase()})`}
      </span>
      <Button type="button" onClick={signOut}>
        {signInTexts.signOut}
      </Button>
    </>
  );
}
