/** The session of a merchant. It is in an HttpOnly cookie; the private key is sent once and not stored. */
export interface Session {
  merchant_id: string;
  environment: 'sandbox' | 'production';
  scope: string[];
  expires_at: string;
}

/** Undefined if the key was rejected. Throws if the server is unreachable or the rate limit is exceeded. */
async function request(method: string, body?: object): Promise<Session | undefined> {
  const response = await fetch('/session', { method, ...(body && { body: JSON.stringify(body) }) });
  if (response.status >= 500 || (response.status === 429 && method !== 'POST'))
    throw new Error(String(response.status));
  return response.ok && response.status !== 204 ? ((await response.json()) as Session) : undefined;
}

export const readSession = (): Promise<Session | undefined> => request('GET');

export const createSession = (private_key: string, isReadOnly: boolean): Promise<Session | undefined> =>
  request('POST', { private_key, scope: [isReadOnly ? 'read' : 'all'] });

export const endSession = (): Promise<Session | undefined> => request('DELETE');

/** The code of a sign-in link; removed from the address first. */
function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code) history.replaceState(null, '', location.pathname + location.search);
  return code ?? undefined;
}

/** Restores the session of an earlier visit or of a sign-in link. */
export async function findSession(): Promise<{ session: Session | undefined; isLinkUsed: boolean }> {
  const code = takeCode();
  const session = (code && (await request('POST', { code, scope: ['all'] }))) || (await readSession());
  return { session, isLinkUsed: code !== undefined && !session };
}
