/** Sends operations of the reference with the reader's session, whose cookie no script can read. */
import { fillInIds, noteIds } from '../shared/lastIds';
import { readSession, type Session } from '../shared/session';
import { requireElement } from './element';

const SHOWN_HEADERS = [
  'request-id',
  'location',
  'idempotent-replayed',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
];
/** More would slow the page down. */
const MAX_SHOWN_CHARACTERS = 200_000;
const UNREACHABLE = 'The server could not be reached. Check your connection and try again.';

const panels = [...document.querySelectorAll<HTMLDetailsElement>('.try')];
let session: Session | undefined;

function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** After the sign-in the reader comes back to this panel. */
function signInLink(panel: Element): HTMLAnchorElement {
  const { id = '' } = panel.closest('.operation')?.querySelector('h3') ?? {};
  const page = `${location.pathname}?try#${id}`;
  return create('a', { href: `/dashboard?return=${encodeURIComponent(page)}` }, 'Sign in');
}

/** Known IDs replace the placeholders of the body and of empty path parameters. */
function fillIn(panel: Element): void {
  for (const field of panel.querySelectorAll<HTMLInputElement>('[name^="path."]')) {
    const id = fillInIds(field.placeholder);
    if (field.value === '' && id !== field.placeholder) field.value = id;
  }
  const body = panel.querySelector('textarea');
  if (body) body.value = fillInIds(body.value);
}

async function prepare(panel: Element): Promise<void> {
  const account = requireElement('.account', panel);
  const form = requireElement('form', panel);
  try {
    session = await readSession();
  } catch {
    account.replaceChildren(UNREACHABLE);
    return;
  }
  form.hidden = !session;
  if (session) {
    const merchant = create('code', {}, session.merchant_id);
    account.replaceChildren('Sends the request to the sandbox with your session of the merchant ', merchant, '.');
    fillIn(panel);
  } else account.replaceChildren(signInLink(panel), ' to send this request to the sandbox.');
}

function urlOf(form: HTMLFormElement, data: FormData): string {
  const path = (form.dataset.path ?? '').replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(name === 'merchant_id' ? (session?.merchant_id ?? '') : String(data.get(`path.${name}`)).trim()),
  );
  const query = new URLSearchParams();
  for (const [name, value] of data)
    if (name.startsWith('query.') && value !== '') query.append(name.slice('query.'.length), String(value));
  return query.size > 0 ? `${path}?${query}` : path;
}

function readBody(text: string): { json: unknown; shown: string } {
  try {
    const json: unknown = JSON.parse(text);
    return { json, shown: JSON.stringify(json, null, 2) };
  } catch {
    return { json: undefined, shown: text };
  }
}

function showReply(reply: HTMLElement, headers: [name: string, value: string][], text: string): void {
  const isCut = text.length > MAX_SHOWN_CHARACTERS;
  const code = create('code', {}, isCut ? text.slice(0, MAX_SHOWN_CHARACTERS) : text);
  reply.replaceChildren(
    create('dl', {}, ...headers.flatMap(([name, value]) => [create('dt', {}, name), create('dd', {}, value)])),
    ...(text ? [create('pre', { tabIndex: 0 }, code)] : []),
    ...(isCut ? [create('p', {}, `Only the first ${MAX_SHOWN_CHARACTERS} characters are shown.`)] : []),
  );
  reply.hidden = false;
}

async function send(panel: Element, form: HTMLFormElement): Promise<void> {
  const button = requireElement<HTMLButtonElement>('.send', form);
  const outcome = requireElement('.outcome', panel);
  const reply = requireElement('.reply', panel);
  const keyField = form.querySelector<HTMLInputElement>('[name=key]');
  const data = new FormData(form);
  const key = keyField && (keyField.value.trim() || crypto.randomUUID());
  const body = data.get('body');
  button.disabled = true;
  delete outcome.dataset.mood;
  outcome.textContent = 'Sending…';
  reply.hidden = true;
  const started = performance.now();
  try {
    const response = await fetch(urlOf(form, data), {
      method: form.dataset.method ?? 'GET',
      headers: {
        accept: 'application/json',
        ...(body !== null && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body !== null && { body: String(body) }),
    });
    const { json, shown } = readBody(await response.text());
    const ms = Math.round(performance.now() - started);
    outcome.dataset.mood = response.ok ? 'good' : 'bad';
    outcome.textContent = `${`${response.status} ${response.statusText}`.trim()} · ${ms} ms`;
    const headers = SHOWN_HEADERS.flatMap((name): [string, string][] => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    showReply(reply, key ? [...headers, ['idempotency-key (sent)', key]] : headers, shown);
    if (response.ok) noteIds(json);
    // The outcome is unknown, so the next attempt has to be the same request.
    if (keyField && key && response.status >= 500) keyField.value = key;
    if (response.status === 401)
      requireElement('.account', panel).replaceChildren('Your session has ended. ', signInLink(panel), ' again.');
    for (const open of panels.filter(each => each.open)) fillIn(open);
  } catch {
    outcome.dataset.mood = 'bad';
    outcome.textContent = UNREACHABLE;
    if (keyField && key) keyField.value = key;
  } finally {
    button.disabled = false;
  }
}

for (const panel of panels) {
  panel.hidden = false;
  panel.addEventListener('toggle', () => panel.open && prepare(panel));
  const form = requireElement<HTMLFormElement>('form', panel);
  form.addEventListener('submit', event => {
    event.preventDefault();
    void send(panel, form);
  });
}

/** The reader comes back from the sign-in. */
if (new URLSearchParams(location.search).has('try')) {
  history.replaceState(null, '', location.pathname + location.hash);
  const heading = document.getElementById(location.hash.slice(1));
  const panel = heading?.closest('.operation')?.querySelector<HTMLDetailsElement>('.try');
  if (panel) panel.open = true;
}
