/** Loads the payment of a page by the secret page key in its URL. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../../prisma/generated/enums';
import { loadByPageKey, type Payment } from '../payments/charges/pending/rows';
import { voucherOf } from '../payments/charges/rows';
import type { Database } from '../platform/database/connection';
import { ApiError } from '../platform/errors';
import { isId } from '../platform/identifiers';

export type PageRequest = FastifyRequest<{ Params: { key: string } }>;

/** Sends an error page and returns undefined if the payment does not exist or the rate limit is exceeded. */
export type RateLimit = (request: PageRequest) => Promise<{ isAllowed: boolean; isExceeded?: boolean }>;

/** Throws if the client has exceeded the rate limit. */
export async function count(request: PageRequest, limit: RateLimit): Promise<void> {
  const { isAllowed, isExceeded } = await limit(request);
  if (!isAllowed && isExceeded) throw new ApiError('too_many');
}

export type PaymentLookup = (
  request: PageRequest,
  reply: FastifyReply,
  isCardAttempt?: boolean,
) => Promise<Payment | undefined>;

export async function findPayment(db: Database, environment: Environment, key: string): Promise<Payment | undefined> {
  const payment = isId(key) ? (await loadByPageKey(db, key))?.payment : undefined;
  return payment?.environment === environment ? payment : undefined;
}

/** Also true if the payment has expired but the expiry workflow has not run yet. */
export function isExpired(payment: Payment): boolean {
  const { progress, status, expires_at, now } = payment;
  return (
    status === 'cancelled' ||
    (progress === 'pending' && expires_at !== null && expires_at <= now) ||
    (progress === 'voiding' && voucherOf(payment) !== undefined)
  );
}

/** The payment is unpaid and its merchant is suspended. */
export const isSuspended = ({ is_suspended, progress }: Payment): boolean => is_suspended && progress === 'pending';

/** Forms submitted from other sites are rejected (CSRF). */
export function isCrossSite({ headers }: FastifyRequest, publicUrl?: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  if (origin === undefined || origin === publicUrl) return false;
  return !(URL.canParse(origin) && new URL(origin).host === host);
}
