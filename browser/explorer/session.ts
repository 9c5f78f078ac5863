/** Who is signed in. The session is in a cookie that no script can read; the private key is sent once and not kept. */
import { el } from './dom';
import { t } from './texts';

export interface Session {
  merchant_id: string;
  scope: string[];
}

async function request(method: string, body?: object): Promise<Session | undefined> {
  const response = await fetch('/session', { method, ...(body && { body: JSON.stringify(body) }) });
  return response.ok && response.status !== 204 ? ((await response.json()) as Session) : undefined;
}

/** The code of a link that signs in, which is taken out of the address before anything else happens. */
function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code) history.replaceState(null, '', location.pathname + location.search);
  return code ?? undefined;
}

/** Of an earlier visit, or by the link that led here. */
export async function findSession(): Promise<{ session?: Session; isLinkUsed: boolean }> {
  const code = takeCode();
  const session = (code && (await request('POST', { code, scope: ['all'] }))) || (await request('GET'));
  return session ? { session, isLinkUsed: false } : { isLinkUsed: code !== undefined };
}

export const signOut = (): Promise<unknown> => request('DELETE');

/** A form in a dialog. `signedIn` is called when it has worked. */
export function signInDialog(signedIn: (session: Session) => void): (problem?: string) => void {
  const key = el('input', { id: 'key', type: 'password', required: true, autocomplete: 'off', placeholder: 'sk_…' });
  const isReadOnly = el('input', { id: 'read-only', type: 'checkbox' });
  const problem = el('p', { class: 'problem', role: 'alert' });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    problem.textContent = '';
    const body = { private_key: key.value, scope: [isReadOnly.checked ? 'read' : 'all'] };
    const session = await request('POST', body).catch(() => null);
    if (!session) {
      problem.textContent = session === null ? t.unreachable : t.wrongKey;
      key.focus();
      return;
    }
    key.value = '';
    dialog.close();
    signedIn(session);
  };
  const dialog = el(
    'dialog',
    { 'aria-labelledby': 'sign-in' },
    el(
      'form',
      { onsubmit: event => void submit(event) },
      el('h1', { id: 'sign-in' }, t.signIn),
      el('p', {}, t.signInHint),
      problem,
      el('label', { for: 'key' }, t.privateKey),
      key,
      el('label', { class: 'check' }, isReadOnly, t.onlyRead),
      el(
        'div',
        { class: 'actions' },
        el('button', { type: 'button', class: 'plain', onclick: () => dialog.close() }, t.lookAround),
        el('button', { class: 'primary' }, t.signIn),
      ),
    ),
  );
  document.body.append(dialog);
  return text => {
    problem.textContent = text ?? '';
    if (!dialog.open) dialog.showModal();
    key.focus();
  };
}
