/** A merchant's dashboard. It uses only the public GraphQL API and sessions. */
import { effect } from '@preact/signals';
import { render } from 'preact';
import '../shared/theme';
import { isOnline, markReconnected } from '../shared/api/ask';
import { findSession } from '../shared/session';
import { signInTexts } from '../shared/signInTexts';
import { Skeleton } from '../shared/ui/States';
import { followEvents } from './api/live';
import { App } from './shell/App';
import { SignIn } from './shell/SignIn';
import { returnPath, session } from './shell/session';

let following: AbortController | undefined;
let notice: string | undefined;

const back = returnPath();

function Start() {
  if (!session.value) return <SignIn notice={notice} />;
  return back ? <Waiting /> : <App />;
}

const Waiting = () => (
  <main>
    <Skeleton lines={6} />
  </main>
);
document.body.replaceChildren();
render(<Waiting />, document.body);

await findSession().then(
  ({ session: found, isLinkUsed }) => {
    session.value = found;
    if (isLinkUsed) notice = signInTexts.usedLink;
  },
  () => {
    notice = signInTexts.unreachable;
  },
);
effect(() => {
  following?.abort();
  following = undefined;
  if (!session.value) return;
  if (back) return location.replace(back);
  following = new AbortController();
  void followEvents(following.signal);
});
addEventListener('offline', () => {
  isOnline.value = false;
});
addEventListener('online', markReconnected);
render(<Start />, document.body);
