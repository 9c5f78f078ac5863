import { Prisma } from '../../prisma/generated/client';
import type { CustomerModel } from '../../prisma/generated/models';
import type { Context } from '../context';
import { batchedById } from '../database/batch';
import { ApiError } from '../platform/errors';
import type { Money } from '../platform/money';
import type { CreateCustomer } from './fields';

export type CustomerRow = CustomerModel;

/** Named one by one: a column that a later migration adds must not change what a prepared statement answers. */
const COLUMNS = Prisma.raw(Object.values(Prisma.CustomerScalarFieldEnum).join(', '));

/** Whoever it belongs to, with its balance. */
export const customerById = batchedById(
  (db, ids: readonly string[]) => db.$queryRaw<(CustomerRow & { balance: Money })[]>`
    select ${COLUMNS}, case when requires_account then balance_of('customer ' || id) else 0 end as balance
    from customers where id = any(${[...ids]}::varchar[])`,
);

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
    insert into customers (id, merchant_id, creation_date, name, last_name, email, phone_number, external_id, requires_account, customer_address)
    values (${id}, ${merchant_id}, now() + make_interval(secs => clock_offset_of(${merchant_id}, null)), ${name}, ${last_name}, ${email}, ${phone_number}, ${external_id || null}, ${requires_account}, ${address}::jsonb)
    on conflict do nothing
    returning ${COLUMNS}`);
  const own = row ?? (await db.customer.findUnique({ where: { id, merchant_id } }));
  if (!own) throw new ApiError('external_id_exists');
  return own;
}

/** Not while money is there or on its way: charges are prepared under a lock of the customer's row, which this one waits for. */
export async function deleteCustomer({ db, merchant_id }: Context, id: string): Promise<boolean> {
  const [, count] = await db.$transaction([
    db.$queryRaw`select 1 from customers where id = ${id} for update`,
    db.$executeRaw`
      with gone as (
      update customers set status = 'deleted' where id = ${id} and merchant_id = ${merchant_id} and status = 'active'
        and balance_of('customer ' || id) <= 0
        and not exists (select from transactions where customer_id = ${id}
          and (progress <> 'settled' or status = 'chargeback_pending'))
      returning id)
      insert into outbox (kind, object_id) select 'customer', id from gone`,
  ]);
  return count > 0;
}
