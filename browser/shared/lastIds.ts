/** The last ID of each kind in the responses of this tab, for the examples that follow. */
const STORED = 'recaudo.ids';

/** The first letter of an ID tells its kind. */
const KINDS: Record<string, string> = {
  a: 'customer',
  k: 'card',
  p: 'plan',
  s: 'subscription',
  t: 'transaction',
  w: 'webhook',
  d: 'delivery',
  e: 'event',
  c: 'key',
  n: 'session',
  r: 'fraud_rule',
  v: 'device',
  x: 'settlement',
  u: 'payment_link',
};
/** Transactions that no operation on charges finds. */
const OTHER_TRANSACTIONS = ['fee', 'payout', 'refund'];

function readIds(): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}

const lastIds = readIds();

function note(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { id, transaction_type } = value as { id?: unknown; transaction_type?: unknown };
  const letter = typeof id === 'string' && /^[a-z][a-z0-9]{19}$/.test(id) ? id.charAt(0) : '';
  const kind = OTHER_TRANSACTIONS.find(type => type === transaction_type) ?? KINDS[letter];
  if (letter && kind) lastIds[kind] = String(id);
  for (const part of Object.values(value)) note(part);
}

/** Remembers the IDs in a response until the tab is closed. */
export function noteIds(response: unknown): void {
  note(response);
  try {
    sessionStorage.setItem(STORED, JSON.stringify(lastIds));
  } catch {
    // The browser may deny storage; the IDs then last until the page is left.
  }
}

/** Replaces `{customer}` and the like; unknown IDs stay. */
export const fillInIds = (text: string): string =>
  text.replace(/\{(\w+)\}/g, (all, kind: string) => lastIds[kind] ?? all);
