/** The session. It is in an HttpOnly cookie; the private key is sent once and not stored. */
import { signal } from '@preact/signals';
import { isSignedOut, markReconnected } from '../api/ask';

export interface Session {
  merchant_id: string;
  environment: 'sandbox' | 'production';
  scope: string[];
  expires_at: string;
}

export const session = signal<Session | undefined>(undefined);

/** All tabs share the cookie, so a sign-in or sign-out applies to all of them. */
const tabs = new BroadcastChannel('dashboard.session');
tabs.onmessage = ({ data }) => {
  if (data === 'out') isSignedOut.value = session.value !== undefined;
  else
    request('GET').then(
      found => found && goOnAs(found),
      () => undefined,
    );
};

/** Undefined if the key was rejected. Throws if the server is unreachable or the rate limit is exceeded. */
async function request(method: string, body?: object): Promise<Session | undefined> {
  const response = await fetch('/session', { method, ...(body && { body: JSON.stringify(body) }) });
  if (response.status >= 500 || (response.status === 429 && method !== 'POST'))
    throw new Error(String(response.status));
  return response.ok && response.status !== 204 ? ((await response.json()) as Session) : undefined;
}

/** The code of a sign-in link; removed from the address first. */
function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code) history.replaceState(null, '', location.pathname + location.search);
  return code ?? undefined;
}

/** Restores the session of an earlier visit or of a sign-in link. */
export async function findSession(): Promise<{ isLinkUsed: boolean }> {
  const code = takeCode();
  session.value = (code && (await request('POST', { code, scope: ['all'] }))) || (await request('GET'));
  return { isLinkUsed: code !== undefined && !session.value };
}

/** The page stays open, except for another merchant, whose data must not mix. */
function goOnAs(signedIn: Session): void {
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
  const signedIn = await request('POST', { private_key, scope: [isReadOnly ? 'read' : 'all'] });
  if (!signedIn) return false;
  tabs.postMessage('in');
  goOnAs(signedIn);
  return true;
}

/** Reloads the page to discard its data. Throws if the server is unreachable. */
export async function signOut(): Promise<void> {
  await request('DELETE');
  tabs.postMessage('out');
  location.reload();
}

/** False for read-only sessions. The API enforces it; this only hides actions. */
export const mayChange = (): boolean => !session.value?.scope.includes('read');
