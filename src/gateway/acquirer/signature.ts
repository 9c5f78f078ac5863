/** Notifications are signed: `t=<unix seconds>,v1=<hex HMAC-SHA-256 of "t.body">`. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** An older notification may be a replay. */
const MAX_AGE_SECONDS = 300;

const digest = (key: string, time: string, body: string): Buffer =>
  createHmac('sha256', key).update(`${time}.${body}`).digest();

export function sign(key: string, body: string, now = Date.now()): string {
  const time = String(Math.floor(now / 1000));
  return `t=${time},v1=${digest(key, time, body).toString('hex')}`;
}

export function isSigned(key: string, header: string | undefined, body: string, now = Date.now()): boolean {
  const [, time = '', signature = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
  if (!time || Math.abs(now / 1000 - Number(time)) > MAX_AGE_SECONDS) return false;
  return timingSafeEqual(digest(key, time, body), Buffer.from(signature, 'hex'));
}
