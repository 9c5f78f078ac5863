/**
 * The token in the URL of a portal: the customer, the end of its validity and the URL to return to, signed under the key
 * of payers' pages. Nothing of it is stored.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Real time, also for customers with a test clock. */
const VALID_MS = 3_600_000;

const TOKEN = /^(a[0-9a-z]{19})_([0-9a-z]{6,7})_([0-9a-f]{32})(?:\.([\w-]+))?$/;

export interface PortalToken {
  customer_id: string;
  /** A whole second. */
  expires_at: Date;
  return_url: string | undefined;
}

/** The signature has 128 bits. */
const sign = (key: Buffer, ...parts: string[]): string =>
  createHmac('sha256', key)
    .update(`portal ${parts.join(' ')}`)
    .digest('hex')
    .slice(0, 32);

/** At the end of a whole second, as tokens name it. */
export const portalExpiry = (): Date => new Date(Math.floor((Date.now() + VALID_MS) / 1000) * 1000);

export function portalUrl(origin: string, key: Buffer, { customer_id, expires_at, return_url }: PortalToken): string {
  const end = (expires_at.getTime() / 1000).toString(36);
  const parts = return_url === undefined ? [] : [Buffer.from(return_url).toString('base64url')];
  const token = `${customer_id}_${end}_${sign(key, customer_id, end, ...parts)}`;
  return `${origin}/p/${[token, ...parts].join('.')}`;
}

/** Undefined unless the token was issued, whether or not it has expired. */
export function readPortalToken(key: Buffer, token: string): PortalToken | undefined {
  const [, customer_id = '', end = '', signature = '', back] = TOKEN.exec(token) ?? [];
  const parts = back === undefined ? [] : [back];
  const valid = Buffer.from(sign(key, customer_id, end, ...parts));
  const given = Buffer.from(signature);
  if (given.length !== valid.length || !timingSafeEqual(given, valid)) return undefined;
  const expires_at = new Date(Number.parseInt(end, 36) * 1000);
  return { customer_id, expires_at, return_url: back && Buffer.from(back, 'base64url').toString() };
}
