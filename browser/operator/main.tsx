/** System status for operators: one page that refreshes itself. */
import { render } from 'preact';
import { changeLanguage, otherLanguage } from '../shared/language';
import { signInTexts } from '../shared/signInTexts';
import { Skeleton } from '../shared/ui/States';
import { ThemeButton } from '../shared/ui/ThemeButton';
import { EnvironmentCards } from './EnvironmentCards';
import { SignIn } from './SignIn';
import { isSignedIn, operations, signOut, watch } from './state';
import { Tables } from './Tables';
import { t } from './texts';
import { Verdict } from './Verdict';

const TopBar = () => (
  <header class="top">
    <a class="mark" href="/operator">
      recaudo
    </a>
    <span class="hint place">{t.title}</span>
    <button type="button" class="quiet" lang={otherLanguage.code} onClick={changeLanguage}>
      {otherLanguage.name}
    </button>
    <ThemeButton />
    <button type="button" class="quiet" onClick={signOut}>
      {signInTexts.signOut}
    </button>
  </header>
);

function Page() {
  const found = operations.value;
  if (!isSignedIn.value) return <SignIn />;
  return (
    <>
      <TopBar />
      <main class="operator">
        {found ? (
          <>
            <Verdict operations={found} />
            {[...found.environments].reverse().map(figures => (
              <EnvironmentCards key={figures.environment} figures={figures} />
            ))}
            <Tables operations={found} />
          </>
        ) : (
          <Skeleton lines={8} />
        )}
      </main>
    </>
  );
}

document.body.replaceChildren();
await watch();
render(<Page />, document.body);
