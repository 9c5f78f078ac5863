import { Prisma } from '../../../prisma/generated/client';
import type { Database } from '../../platform/database/connection';
import { slicedSql } from '../../schema/connections/rows';
import type { Slice } from '../../schema/connections/window';
import { createdConditions } from '../../schema/rows';
import type { MerchantAccount, MerchantCounts, MerchantFilters } from './fields';

/** Higher counts would keep the database busy, and need not be exact. */
const MAX_COUNTED = 100_000;

const readAccounts = (db: Database, rest: Prisma.Sql): Promise<MerchantAccount[]> => db.$queryRaw<MerchantAccount[]>`
  select id, environment::text, name, email, phone, status::text, cost_rate, cost_fixed, reserve, creation_date, suspension_reason,
    coalesce(
      (select production_merchant_id from live_requests where merchant_id = merchants.id and status = 'approved'),
      (select merchant_id from live_requests where production_merchant_id = merchants.id)) as linked_merchant_id
  from merchants ${rest}`;

export const listMerchants = (db: Database, conditions: Prisma.Sql, slice: Slice): Promise<MerchantAccount[]> =>
  readAccounts(db, slicedSql(conditions, slice));

export function merchantConditions({ find, status, environment, ...filters }: MerchantFilters): Prisma.Sql {
  const beginning = find === undefined ? '' : `${find.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const conditions = [
    Prisma.sql`true`,
    ...(find === undefined
      ? []
      : [Prisma.sql`(id = ${find} or lower(name) like lower(${beginning}) or lower(email) like lower(${beginning}))`]),
    ...(status === undefined ? [] : [Prisma.sql`status = ${status}::"MerchantStatus"`]),
    ...(environment === undefined ? [] : [Prisma.sql`environment = ${environment}::"Environment"`]),
    ...createdConditions(filters),
  ];
  return Prisma.join(conditions, ' and ');
}

export async function countRecords(db: Database, id: string): Promise<MerchantCounts> {
  const count = (table: string, condition = 'true'): Prisma.Sql => Prisma.sql`(select count(*)::integer from (
    select from ${Prisma.raw(table)} where merchant_id = ${id} and ${Prisma.raw(condition)} limit ${MAX_COUNTED}) as counted)`;
  const [counts] = await db.$queryRaw<MerchantCounts[]>`
    select ${count('customers', "status = 'active'")} as customers, ${count('cards')} as cards,
      ${count('transactions')} as transactions, ${count('subscriptions', "status <> 'cancelled'")} as subscriptions,
      ${count('webhooks')} as webhooks`;
  if (!counts) throw new Error('a select without a table answers one row');
  return counts;
}

export const readAccount = async (db: Database, id: string): Promise<MerchantAccount | undefined> =>
  (await readAccounts(db, Prisma.sql`where id = ${id}`))[0];
