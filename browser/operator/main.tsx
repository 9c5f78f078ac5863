/** System status for operators: one page that refreshes itself. */

import contrast from 'lucide-static/icons/contrast.svg';
import { render } from 'preact';
import { changeLanguage } from '../shared/language';
import { chooseTheme, theme } from '../shared/theme';
import { Icon } from '../shared/ui/Icon';
import { Skeleton } from '../shared/ui/States';
import { EnvironmentCards } from './EnvironmentCards';
import { SignIn } from './SignIn';
import { isSignedIn, operations, signOut, watch } from './state';
import { Tables } from './Tables';
import { t } from './texts';
import { Verdict } from './Verdict';

const isDark = (): boolean =>
  theme.value === 'dark' || (theme.value === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);

const TopBar = () => (
  <header class="top">
    <a class="mark" href="/operator">
      recaudo
    </a>
    <span class="hint place">{t.title}</span>
    <button type="button" class="quiet" onClick={changeLanguage}>
      {t.other}
    </button>
    <button type="button" class="quiet" title={t.theme} onClick={() => chooseTheme(isDark() ? 'light' : 'dark')}>
      <Icon svg={contrast} label={t.theme} />
    </button>
    <button type="button" class="quiet" onClick={signOut}>
      {t.signOut}
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
