import { Prisma } from '../../prisma/generated/client';
import type { CustomerModel } from '../../prisma/generated/models';
import type { Context } from '../context';
import { batchedById } from '../database/batch';
import { ApiError } from '../platform/errors';
import type { Money } from '../platform/money';
import type { CreateCustomer, Customer, CustomerAddress } from './fields';

/** An address in a JSON column: an alias, because a class is no JSON to the compiler. */
export type StoredAddress = Pick<CustomerAddress, keyof CustomerAddress>;

export type CustomerRow = Omit<CustomerModel, 'status' | 'customer_address'> & {
  status: Customer['status'];
  customer_address: StoredAddress | null;
};

/** For a row that Prisma has read or written. */
export const narrowCustomer = (row: CustomerModel): CustomerRow => row as CustomerRow;

/**
 * Columns are listed, not `*`: a column that a later migration adds must not change the result type of a prepared
 * statement.
 */
const COLUMNS = Prisma.raw(Object.values(Prisma.CustomerScalarFieldEnum).join(', '));

/** With its balance. Does not check which merchant the customer belongs to. */
export const customerById = batchedById(
  (db, ids: readonly string[]) => db.$queryRaw<(CustomerRow & { balance: Money })[]>`
    select ${COLUMNS}, case when requires_account then balance_of('customer ' || id) else 0 end as balance
    from customers where id = any(${[...ids]}::varchar[])`,
);

/**
 * One statement, where Prisma's `create` takes three. A repeated request generates the same id again, so a row with
 * that id is the one it inserted before. If the external_id is taken, nothing is inserted and no row is returned.
 */
export async function insertCustomer(
  { db, merchant_id, newId }: Context,
  customer: CreateCustomer,
): Promise<CustomerRow> {
  const { name, email, last_name = null, phone_number = null, external_id, requires_account = true } = customer;
  const address = customer.customer_address ? JSON.stringify(customer.customer_address) : null;
  const id = newId('customer');
  const [inserted] = await db.$queryRaw<CustomerRow[]>(Prisma.sql`
    insert into customers (id, merchant_id, creation_date, name, last_name, email, phone_number, external_id, requires_account, customer_address)
    values (${id}, ${merchant_id}, now() + make_interval(secs => clock_offset_of(${merchant_id}, null)), ${name}, ${last_name}, ${email},
      ${phone_number}, ${external_id || null}, ${requires_account}, ${address}::jsonb)
    on conflict do nothing
    returning ${COLUMNS}`);
  if (inserted) return inserted;
  const earlier = await db.customer.findUnique({ where: { id, merchant_id } });
  if (!earlier) throw new ApiError('external_id_exists');
  return narrowCustomer(earlier);
}

/**
 * Refuses while the customer has a balance or an unfinished transaction. Charges are prepared under a lock of the
 * customer's row, which this waits for.
 */
export async function deleteCustomer({ db, merchant_id }: Context, id: string): Promise<boolean> {
  const [, count] = await db.$transaction([
    db.$queryRaw`select 1 from customers where id = ${id} for update`,
    db.$executeRaw`
      with deleted_customer as (
        update customers set status = 'deleted' where id = ${id} and merchant_id = ${merchant_id} and status = 'active'
          and balance_of('customer ' || id) <= 0
          and not exists (select from transactions where customer_id = ${id}
            and (progress <> 'settled' or status = 'chargeback_pending'))
        returning id
      )
      insert into outbox (kind, object_id) select 'customer', id from deleted_customer`,
  ]);
  return count > 0;
}
