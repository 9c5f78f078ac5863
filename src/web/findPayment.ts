/** Loads the payment of a page by the secret page key in its URL. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Prisma } from '../../prisma/generated/client';
import type { Environment } from '../../prisma/generated/enums';
import type { TransactionRow } from '../payments/charges/rows';
import { batched } from '../platform/database/batch';
import type { Database } from '../platform/database/connection';
import { idIn } from '../platform/database/rows';
import { isId } from '../platform/identifiers';
import type { Appearance } from './look/appearance';

export type Payment = TransactionRow & {
  merchant_name: string;
  appearance: Appearance;
  is_suspended: boolean;
  environment: Environment;
  now: Date;
};

export type PageRequest = FastifyRequest<{ Params: { key: string } }>;

/** Sends an error page and returns undefined if the payment does not exist or the rate limit is exceeded. */
export type PaymentLookup = (
  request: PageRequest,
  reply: FastifyReply,
  isCardAttempt?: boolean,
) => Promise<Payment | undefined>;

const COLUMNS = Prisma.raw(
  Object.values(Prisma.TransactionScalarFieldEnum)
    .map(name => `t."${name}"`)
    .join(', '),
);

const loadByPageKey = batched(
  async (db, keys: readonly string[]) => {
    const payments = await db.$queryRaw<Payment[]>`
      select ${COLUMNS}, merchants.name as merchant_name, merchants.status = 'suspended' as is_suspended,
        jsonb_build_object('website', website, 'support_email', support_email, 'support_phone', support_phone, 'logo', logo,
          'colour', colour) as appearance,
        merchants.environment::text as environment,
        now() + make_interval(secs => clock_offset_of(t.merchant_id, t.customer_id)) as now
      from transactions t join merchants on merchants.id = t.merchant_id where page_key ${idIn(keys)}`;
    return payments.map(payment => ({ id: payment.page_key ?? '', payment }));
  },
  (key: string) => key,
);

export async function findPayment(db: Database, environment: Environment, key: string): Promise<Payment | undefined> {
  const payment = isId(key) ? (await loadByPageKey(db, key))?.payment : undefined;
  return payment?.environment === environment ? payment : undefined;
}

/** Also true if the payment has expired but the expiry workflow has not run yet. */
export const isExpired = ({ progress, status, method, expires_at, now }: Payment): boolean =>
  status === 'cancelled' ||
  (progress === 'pending' && expires_at !== null && expires_at <= now) ||
  (progress === 'voiding' && method === 'store');

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
