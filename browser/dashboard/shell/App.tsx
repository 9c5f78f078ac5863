import { useEffect, useRef } from 'preact/hooks';
import { Link, Router, useLocation } from 'wouter-preact';
import { isOnline, isSignedOut } from '../../shared/api/ask';
import { Notices } from '../../shared/ui/notices';
import { SandboxStripe } from '../../shared/ui/SandboxStripe';
import { Developer } from '../developer/Developer';
import { Palette } from '../palette/Palette';
import { overlay } from './overlays';
import { Rail } from './Rail';
import { Screens } from './Screens';
import { SignInAgain } from './SignIn';
import { session } from './session';
import { TopBar } from './TopBar';
import { t } from './texts';

export function App() {
  return (
    <Router base="/dashboard">
      <a class="skip" href="#content">
        {t.skip}
      </a>
      {session.value?.environment === 'sandbox' && (
        <SandboxStripe>
          <Link href="/live">{t.goLive}</Link>
        </SandboxStripe>
      )}
      <TopBar />
      <div class="frame">
        <Rail />
        <Content />
      </div>
      <Notices />
      {overlay.value === 'palette' && <Palette />}
      {overlay.value === 'developer' && <Developer />}
      {isSignedOut.value && <SignInAgain />}
    </Router>
  );
}

function Content() {
  useFocusOfScreen();
  return (
    <main id="content" tabIndex={-1}>
      <p class="offline" role="status">
        {isOnline.value ? '' : t.offline}
      </p>
      <Screens />
    </main>
  );
}

/** Moves the focus to the title of the new screen. */
function useFocusOfScreen(): void {
  const [path] = useLocation();
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    const title = document.querySelector<HTMLElement>('main h1');
    if (title) title.tabIndex = -1;
    (title ?? document.getElementById('content'))?.focus();
  }, [path]);
}
