import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, Router, useLocation } from 'wouter-preact';
import { isOnline, isSignedOut, Problem } from '../../shared/api/ask';
import { Notices } from '../../shared/ui/notices';
import { SandboxStripe } from '../../shared/ui/SandboxStripe';
import { ProblemNote, Skeleton } from '../../shared/ui/States';
import { Developer } from '../developer/Developer';
import { Palette } from '../palette/Palette';
import { Today } from '../today/Today';
import { overlay } from './overlays';
import { Rail } from './Rail';
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
  const [path] = useLocation();
  const Screens = useScreens();
  useFocusOfScreen(path);
  return (
    <main id="content" tabIndex={-1}>
      <p class="offline" role="status">
        {isOnline.value ? '' : t.offline}
      </p>
      {path === '/' ? <Today /> : <Screens />}
    </main>
  );
}

const Loading = () => <Skeleton lines={10} />;
/** The files of an earlier release are gone. */
const Failed = () => <ProblemNote problem={new Problem('')} retry={() => location.reload()} />;

/** Loaded after the first view. */
function useScreens(): ComponentType {
  const [loaded, setLoaded] = useState<{ Screens: ComponentType }>({ Screens: Loading });
  useEffect(() => {
    import('./Screens').then(setLoaded, () => setLoaded({ Screens: Failed }));
  }, []);
  return loaded.Screens;
}

/** Moves the focus to the title of the new screen. */
function useFocusOfScreen(path: string): void {
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    const title = document.querySelector<HTMLElement>('main h1');
    if (title) title.tabIndex = -1;
    (title ?? document.getElementById('content'))?.focus();
  }, [path]);
}
