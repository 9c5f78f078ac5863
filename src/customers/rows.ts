import { Prisma } from '../../prisma/generated/client';
import type { CustomerModel } from '../../prisma/generated/models';
import type { Context } from '../context';
import { ApiError } from '../errors';
import { gatheredById } from '../gather';
import type { CreateCustomer } from './fields';

export type CustomerRow = CustomerModel;

/** Whoever it belongs to. */
export const customerById = gatheredById((db, ids: readonly string[]) =>
  db.customer.findMany({ where: { id: { in: [...ids] } } }),
);

/** Named one by one: a column that a later migration adds must not change what a prepared statement answers. */
const COLUMNS = Prisma.raw(Object.values(Prisma.CustomerScalarFieldEnum).join(', '));

/**
 * One statement, where Prisma's `create` takes three. A repeated request brings the id of its first time: what it finds under that id
 * is its own work. An external_id that is taken leaves nothing behind and answers no row.
 */
export async function insertCustomer(
  { db, merchant_id, newId }: Context,
  customer: CreateCustomer,
): Promise<CustomerRow> {
  const { name, email, last_name = null, phone_number = null, external_id, requires_account = true } = customer;
  const address = customer.customer_address ? JSON.stringify(customer.customer_address) : null;
  const id = newId('customer');
  const [row] = await db.$queryRaw<CustomerRow[]>(Prisma.sql`
    insert into customers (id, merchant_id, name, last_name, email, phone_number, external_id, requires_account, customer_address)
    values (${id}, ${merchant_id}, ${name}, ${last_name}, ${email}, ${phone_number}, ${external_id || null}, ${requires_account}, ${address}::jsonb)
    on conflict do nothing
    returning ${COLUMNS}`);
  const own = row ?? (await db.customer.findUnique({ where: { id, merchant_id } }));
  if (!own) throw new ApiError('external_id_exists');
  return own;
}
