/** A payment as its payer sees it, found by the key in the page's address alone. */
import type { FastifyRequest } from 'fastify';
import { Prisma } from '../../../prisma/generated/client';
import type { Environment } from '../../../prisma/generated/enums';
import type { TransactionRow } from '../../charges/view';
import { batched } from '../../database/batch';
import type { Database } from '../../database/connection';
import { isId } from '../../platform/identifiers';

export type Payment = TransactionRow & { merchant_name: string; environment: Environment; now: Date };

const COLUMNS = Prisma.raw(
  Object.values(Prisma.TransactionScalarFieldEnum)
    .map(name => `t."${name}"`)
    .join(', '),
);

const byKey = batched(
  async (db, keys: readonly string[]) => {
    const found = await db.$queryRaw<Payment[]>`
      select ${COLUMNS}, merchants.name as merchant_name, merchants.environment::text as environment,
        now() + make_interval(secs => clock_offset_of(t.merchant_id, t.customer_id)) as now
      from transactions t join merchants on merchants.id = t.merchant_id where page_key = any(${[...keys]}::varchar[])`;
    return found.map(payment => ({ id: payment.page_key ?? '', payment }));
  },
  (key: string) => key,
);

export async function findPayment(db: Database, environment: Environment, key: string): Promise<Payment | undefined> {
  const found = isId(key) ? (await byKey(db, key))?.payment : undefined;
  return found?.environment === environment ? found : undefined;
}

/** Also before the workflow has said so. */
export const hasRunOut = ({ progress, status, method, expires_at, now }: Payment): boolean =>
  status === 'cancelled' ||
  (progress === 'pending' && expires_at !== null && expires_at <= now) ||
  (progress === 'voiding' && method === 'store');

/** A browser says where a request comes from; what other sites send here is not what a payer does. */
export function isForeign({ headers }: FastifyRequest, publicUrl?: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  if (origin === undefined || origin === publicUrl) return false;
  return !(URL.canParse(origin) && new URL(origin).host === host);
}
