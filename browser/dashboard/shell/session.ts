/** Who is signed in. The session is in a cookie that no script can read; the private key is sent once and not kept. */
import { signal } from '@preact/signals';
import { isBack, isSignedOut } from '../api/ask';

export interface Session {
  merchant_id: string;
  environment: 'sandbox' | 'production';
  scope: string[];
  expires_at: string;
}

export const session = signal<Session | undefined>(undefined);

/** The other tabs of this browser have the same cookie, so what one does is true for all. */
const tabs = new BroadcastChannel('dashboard.session');
tabs.onmessage = ({ data }) => {
  if (data === 'out') isSignedOut.value = session.value !== undefined;
  else
    request('GET').then(
      found => found && goOnAs(found),
      () => undefined,
    );
};

/** Undefined where it was refused; what cannot be reached throws, and what came too often for the server to look at it. */
async function request(method: string, body?: object): Promise<Session | undefined> {
  const response = await fetch('/session', { method, ...(body && { body: JSON.stringify(body) }) });
  if (response.status >= 500 || (response.status === 429 && method !== 'POST'))
    throw new Error(String(response.status));
  return response.ok && response.status !== 204 ? ((await response.json()) as Session) : undefined;
}

/** The code of a link that signs in, which is taken out of the address before anything else happens. */
function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code) history.replaceState(null, '', location.pathname + location.search);
  return code ?? undefined;
}

/** Of an earlier visit, or by the link that led here. */
export async function findSession(): Promise<{ isLinkUsed: boolean }> {
  const code = takeCode();
  session.value = (code && (await request('POST', { code, scope: ['all'] }))) || (await request('GET'));
  return { isLinkUsed: code !== undefined && !session.value };
}

/** What is open stays open. Of another merchant nothing that was loaded may stay. */
function goOnAs(signedIn: Session): void {
  const { merchant_id } = session.value ?? signedIn;
  if (merchant_id !== signedIn.merchant_id) {
    location.assign('/dashboard');
    return;
  }
  session.value = signedIn;
  isSignedOut.value = false;
  isBack();
}

/** Whether the key was accepted. */
export async function signIn(private_key: string, isReadOnly: boolean): Promise<boolean> {
  const signedIn = await request('POST', { private_key, scope: [isReadOnly ? 'read' : 'all'] });
  if (!signedIn) return false;
  tabs.postMessage('in');
  goOnAs(signedIn);
  return true;
}

/** Begins anew, so that nothing of what was seen stays in the page. Throws where the server was not reached. */
export async function signOut(): Promise<void> {
  await request('DELETE');
  tabs.postMessage('out');
  location.reload();
}

/** Whether the session may do what changes something; the API decides, this only hides what it would refuse. */
export const mayChange = (): boolean => !session.value?.scope.includes('read');
