import { createHmac, randomBytes } from 'node:crypto';

/** The first letter of an ID names its resource. Letters are distinct because a billing hold finds its target by them. */
export const prefixes = {
  merchant: 'm',
  customer: 'a',
  card: 'k',
  transaction: 't',
  event: 'e',
  plan: 'p',
  subscription: 's',
  webhook: 'w',
  delivery: 'd',
  key: 'c',
  session: 'n',
  live_request: 'l',
  fraud_rule: 'r',
  device: 'v',
  bank_account: 'b',
  settlement: 'x',
  settlement_report: 'z',
  worker: 'o',
  hold: 'h',
  bulk_action: 'j',
  payment_link: 'u',
  coupon: 'q',
  extra: 'i',
  plan_replacement: 'g',
  email: 'f',
  // The secret in the URL of a payment page: anyone with the URL may see the payment.
  page: 'y',
} as const;
export type IdKind = keyof typeof prefixes;

/** 20 characters, `[a-z][a-z0-9]{19}`, from 128 bits. */
function formatId(kind: IdKind, bits: Buffer): string {
  const digits = BigInt(`0x${bits.toString('hex')}`)
    .toString(36)
    .padStart(25, '0');
  const id = prefixes[kind] + digits.slice(-19);
  observer?.(kind, id);
  return id;
}

let observer: ((kind: IdKind, id: string) => void) | undefined;

/** Calls `observe` with every ID created from now on. */
export function onNewId(observe: typeof observer): void {
  observer = observe;
}

export const newId = (kind: IdKind): string => formatId(kind, randomBytes(16));

/** The same seed yields the same IDs, so a repeated request finds the resources that its first run created. */
export function idsFrom(seed: Uint8Array): typeof newId {
  let count = 0;
  return kind => formatId(kind, createHmac('sha256', seed).update(`${kind} ${count++}`).digest().subarray(0, 16));
}

/** The pattern of IDs in the API documents. */
export const idPattern = (kind?: IdKind): string => `^${kind ? prefixes[kind] : '[a-z]'}[a-z0-9]{19}$`;

/** Saves the query for a text that cannot be an identifier. */
export const isId = (text: string): boolean => /^[a-z0-9]{20}$/.test(text);
