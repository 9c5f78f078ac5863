import { createSession, type Session } from '../shared/session';
import { el } from './dom';
import { t } from './texts';

/** A form in a dialog. `signedIn` is called when it has worked. */
export function signInDialog(signedIn: (session: Session) => void): (problem?: string) => void {
  const key = el('input', { id: 'key', type: 'password', required: true, autocomplete: 'off', placeholder: 'sk_…' });
  const isReadOnly = el('input', { id: 'read-only', type: 'checkbox' });
  const problem = el('p', { class: 'problem', role: 'alert' });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    problem.textContent = '';
    const session = await createSession(key.value, isReadOnly.checked).catch(() => null);
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
