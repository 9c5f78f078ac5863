/** The session. It is in an HttpOnly cookie; the private key is sent once and not stored. */
import { signal } from '@preact/signals';
import { isSignedOut, markReconnected } from '../../shared/api/ask';
import { createSession, endSession, readSession, type Session } from '../../shared/session';

export const session = signal<Session | undefined>(undefined);

/** All tabs share the cookie, so a sign-in or sign-out applies to all of them. */
const tabs = new BroadcastChannel('dashboard.session');
tabs.onmessage = ({ data }) => {
  if (data === 'out') isSignedOut.value = session.value !== undefined;
  else
    readSession().then(
      found => found && continueAs(found),
      () => undefined,
    );
};

/** The page stays open, except for another merchant, whose data must not mix. */
function continueAs(signedIn: Session): void {
  const { merchant_id } = session.value ?? signedIn;
  if (merchant_id !== signedIn.merchant_id) {
    location.assign('/dashboard');
    return;
  }
  session.value = signedIn;
  isSignedOut.value = false;
  markReconnected();
}

/** Returns false if the key was rejected. */
export async function signIn(private_key: string, isReadOnly: boolean): Promise<boolean> {
  const signedIn = await createSession(private_key, isReadOnly);
  if (!signedIn) return false;
  tabs.postMessage('in');
  continueAs(signedIn);
  return true;
}

/** Reloads the page to discard its data. Throws if the server is unreachable. */
export async function signOut(): Promise<void> {
  await endSession();
  tabs.postMessage('out');
  location.reload();
}

/** False for read-only sessions. The API enforces it; this only hides actions. */
export const canWrite = (): boolean => !session.value?.scope.includes('read');

/** Returns to the page of the reference that sent the reader here. Other addresses are ignored: links may be forged. */
export function returnPath(): string | undefined {
  const path = new URLSearchParams(location.search).get('return') ?? '';
  return /^\/docs(\/\w+)*(\?try)?(#\w+)?$/.test(path) ? path : undefined;
}
