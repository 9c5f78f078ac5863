import { Prisma } from '../../prisma/generated/client';
import type { CustomerModel } from '../../prisma/generated/models';
import type { Context } from '../context';
import { batchedById } from '../database/batch';
import { CHANGED_MEANWHILE, findOwnWork } from '../database/findOwnWork';
import { columnsOf, insertFrom, isAmong, recordsOf } from '../database/rows';
import { ApiError } from '../platform/errors';
import type { Money } from '../platform/money';
import type { CreateCustomer, Customer, CustomerAddress, UpdateCustomer } from './fields';

/** An address in a JSON column: an alias, because a class is no JSON to the compiler. */
export type StoredAddress = Pick<CustomerAddress, keyof CustomerAddress>;

export type CustomerRow = Omit<CustomerModel, 'status' | 'customer_address'> & {
  status: Customer['status'];
  customer_address: StoredAddress | null;
};

/**
 * An empty text means that there is none: it is stored as null, and left out of an address. Those that are required are
 * never empty here.
 */
export function clearEmptyTexts<T extends UpdateCustomer>({ customer_address, ...fields }: T) {
  const isText = ([, value]: [string, unknown]): boolean => value !== '';
  const stored = Object.entries(fields).map(entry => (isText(entry) ? entry : [entry[0], null]));
  const address = customer_address && Object.fromEntries(Object.entries(customer_address).filter(isText));
  return {
    ...(Object.fromEntries(stored) as Omit<T, 'customer_address'>),
    ...(address ? { customer_address: address } : {}),
  };
}

/** For a row that Prisma has read or written. */
export const narrowCustomer = (row: CustomerModel): CustomerRow => row as CustomerRow;

/**
 * Columns are listed, not `*`: a column that a later migration adds must not change the result type of a prepared
 * statement.
 */
const COLUMNS = columnsOf('customers');

/**
 * A condition: `row`, an alias, has no customer, or an active one of its merchant, which is locked so that its deletion
 * waits.
 */
export const customerIsActive = (row: string): Prisma.Sql =>
  Prisma.raw(`(${row}.customer_id is null or exists (select from customers where customers.id = ${row}.customer_id
    and customers.merchant_id = ${row}.merchant_id and customers.status = 'active' for share))`);

/** With its balance. Does not check which merchant the customer belongs to. */
export const customerById = batchedById(async (db, ids: readonly string[]) => {
  const rows = await db.$queryRaw<(CustomerRow & { balance: string })[]>`
    select ${COLUMNS}, (case when requires_account then account_balance('customer ' || id) else 0 end)::text as balance
    from customers where id ${isAmong(ids)}`;
  return rows.map((row): CustomerRow & { balance: Money } => ({ ...row, balance: BigInt(row.balance) }));
});

/**
 * One statement, where Prisma's `create` takes three. If the external_id is taken, nothing is inserted.
 */
export async function insertCustomer(
  { db, merchant_id, newId }: Context,
  customer: CreateCustomer,
): Promise<CustomerRow> {
  const id = newId('customer');
  const row = {
    ...clearEmptyTexts(customer),
    requires_account: customer.requires_account ?? true,
    id,
    merchant_id,
  };
  const insert = insertFrom(
    'customers',
    'customer',
    Prisma.sql`from ${recordsOf('customers', [row])} as customer on conflict do nothing returning ${COLUMNS}`,
    {
      creation_date: Prisma.sql`now() + make_interval(secs => clock_offset_of(customer.merchant_id, null))`,
      status: Prisma.sql`'active'`,
      clock_offset: Prisma.sql`0`,
    },
  );
  const [inserted] = await db.$queryRaw<CustomerRow[]>(insert);
  if (inserted) return inserted;
  const own = await findOwnWork(db.customer.findUnique({ where: { id, merchant_id } }), async () => {
    const where = { merchant_id, external_id: row.external_id ?? '', status: 'active' };
    if (await db.customer.findFirst({ where })) throw new ApiError('external_id_exists');
    throw new ApiError('unavailable', CHANGED_MEANWHILE);
  });
  return narrowCustomer(own);
}
