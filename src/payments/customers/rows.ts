import { Prisma } from '../../../prisma/generated/client';
import type { CustomerModel } from '../../../prisma/generated/models';
import { balanceExpression } from '../../ledger/rows';
import { batched, batchedById } from '../../platform/database/batch';
import { type Database, queryRows } from '../../platform/database/connection';
import { findOwnWork } from '../../platform/database/findOwnWork';
import { columnsOf, idIn, insertFrom, recordsOf } from '../../platform/database/rows';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import type { Money } from '../../platform/money';
import { slicedSql, toSql } from '../../schema/connections/rows';
import type { Slice } from '../../schema/connections/window';
import type { Context } from '../../schema/operation/context';
import { createdConditions } from '../../schema/rows';
import type { Metadata } from '../metadata/metadata';
import { metadataList, metadataWhere } from '../metadata/rows';
import type {
  CreateCustomer,
  Customer,
  CustomerAddress,
  CustomersArgs,
  CustomersConnectionArgs,
  UpdateCustomer,
} from './fields';

/** An address in a JSON column. An alias, because TypeScript does not accept a class as JSON. */
export type StoredAddress = Pick<CustomerAddress, keyof CustomerAddress>;

export type CustomerRow = Omit<CustomerModel, 'status' | 'customer_address' | 'metadata' | 'language'> & {
  status: Customer['status'];
  language: 'es' | 'en' | null;
  email_status?: Customer['email_status'];
  customer_address: StoredAddress | null;
  metadata: Metadata | null;
};

/**
 * Stores empty texts as null and removes them from addresses. Required texts are never empty here.
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

export const narrowCustomer = (row: CustomerModel): CustomerRow => row as CustomerRow;

/** Not `*`: a migration that adds a column must not change the result type of a prepared statement. */
const COLUMNS = columnsOf('customers');
const EMAIL_STATUS = Prisma.sql`(select reason from suppressed_emails where merchant_id = customers.merchant_id
  and email = lower(customers.email)) as email_status`;

/**
 * SQL condition: the row with the alias `row` has no customer, or an active customer of its merchant. Locks the customer,
 * so that its deletion waits.
 */
export const customerIsActive = (row: string): Prisma.Sql =>
  Prisma.raw(`(${row}.customer_id is null or exists (select from customers where customers.id = ${row}.customer_id
    and customers.merchant_id = ${row}.merchant_id and customers.status = 'active' for share))`);

const BALANCE = balanceExpression(Prisma.sql`'customer ' || customer.id`);

/** Reads customers with their balances. `conditions` is the rest of the query after `from customers`. */
async function readCustomers(db: Database, conditions: Prisma.Sql): Promise<(CustomerRow & { balance: Money })[]> {
  const rows = await queryRows<CustomerRow & { balance: string | Money }>(
    db,
    Prisma.sql`select *, (case when requires_account then ${BALANCE} else 0 end)::text as balance
      from (select ${COLUMNS}, ${EMAIL_STATUS} from customers ${conditions}) as customer`,
  );
  for (const row of rows) row.balance = BigInt(row.balance);
  return rows as (CustomerRow & { balance: Money })[];
}

/** Does not check the merchant. */
export const customerById = batchedById((db, ids: readonly string[]) =>
  readCustomers(db, Prisma.sql`where id ${idIn(ids)}`),
);

export async function findCustomer(
  { db, merchant_id }: Context,
  id: string,
): Promise<CustomerRow & { balance: Money }> {
  const customer = isId(id) ? await customerById(db, id) : undefined;
  if (customer?.merchant_id !== merchant_id || customer.status !== 'active') throw new ApiError('not_found');
  return customer;
}

type NewCustomer = Pick<CustomerRow, 'id' | 'merchant_id'> & CreateCustomer;

/** Inserts concurrent customers in one batch, except those with a taken external_id. */
const insertRow = batched(
  (db, rows: readonly NewCustomer[]) =>
    queryRows<CustomerRow>(
      db,
      insertFrom(
        'customers',
        'customer',
        Prisma.sql`from ${recordsOf('customers', rows)} as customer on conflict do nothing returning ${COLUMNS}, ${EMAIL_STATUS}`,
        {
          creation_date: Prisma.sql`now() + make_interval(secs => clock_offset_of(customer.merchant_id, null))`,
          status: Prisma.sql`'active'`,
          clock_offset: Prisma.sql`0`,
        },
      ),
    ),
  ({ id }) => id,
);

export async function insertCustomer(
  { db, merchant_id, newId }: Context,
  customer: CreateCustomer,
): Promise<CustomerRow> {
  const id = newId('customer');
  const requires_account = customer.requires_account ?? true;
  const row = { ...clearEmptyTexts(customer), requires_account, id, merchant_id };
  const inserted = await insertRow(db, row);
  if (inserted) return inserted;
  const own = await findOwnWork(db.customer.findUnique({ where: { id, merchant_id } }), async () => {
    const where = { merchant_id, external_id: row.external_id ?? '', status: 'active' };
    if (await db.customer.findFirst({ where })) throw new ApiError('external_id_exists');
    throw new ApiError('unavailable', 'changed_meanwhile');
  });
  return narrowCustomer(own);
}

export function customerConditions(
  { merchant_id }: Context,
  filters: CustomersArgs | CustomersConnectionArgs,
): Prisma.Sql {
  const { external_id, email, name } = filters;
  const conditions = [
    Prisma.sql`merchant_id = ${merchant_id} and status = 'active'`,
    ...(external_id === undefined ? [] : [Prisma.sql`external_id = ${external_id}`]),
    ...(email === undefined ? [] : [Prisma.sql`lower(email) = lower(${email})`]),
    ...(name === undefined ? [] : [Prisma.sql`lower(name) like lower(${withoutWildcards(name)}) || '%'`]),
    toSql(metadataWhere(filters)),
    ...createdConditions(filters),
  ];
  return Prisma.join(conditions, ' and ');
}

export function customerList({ db }: Context, conditions: Prisma.Sql, slice: Slice) {
  const page = slicedSql(conditions, slice);
  return metadataList({
    limit: slice.take,
    read: () => readCustomers(db, page),
    readIds: () => queryRows<{ id: string }>(db, Prisma.sql`select id from customers ${page}`),
    find: id => customerById(db, id),
  });
}

const withoutWildcards = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/** Locked until the transaction ends, so that it is not deleted meanwhile. False unless it is active. */
export async function lockActiveCustomer(tx: Prisma.TransactionClient, id: string | null): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    select 1 from customers where id = ${id} and status = 'active' for share`;
  return rows.length > 0;
}

export const lockCustomer = (tx: Prisma.TransactionClient, id: string): Promise<unknown> =>
  tx.$queryRaw`select 1 from customers where id = ${id} for update`;

/** False while the customer has a balance or a transaction that is not finished. */
export async function markDeleted(tx: Prisma.TransactionClient, merchant_id: string, id: string): Promise<boolean> {
  const deleted = await tx.$executeRaw`
    update customers set status = 'deleted' where id = ${id} and merchant_id = ${merchant_id} and status = 'active'
      and account_balance('customer ' || id) = 0
      and not exists (select from transactions where customer_id = ${id}
        and (progress <> 'settled' or status = 'chargeback_pending'))`;
  return deleted > 0;
}
