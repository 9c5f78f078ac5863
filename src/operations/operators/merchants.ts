import { Prisma } from '../../../prisma/generated/client';
import { type AuditOrigin, auditEntry, changedMembers } from '../../accounts/auditLog/entry';
import { merchantBalances } from '../../ledger/balances';
import type { Database } from '../../platform/database/connection';
import { ApiError } from '../../platform/errors';
import { formatMoney } from '../../platform/money';
import { type Slice, slicedSql } from '../../schema/connections/window';
import { createdConditions } from '../../schema/list';
import type { MerchantAccount, MerchantCosts, MerchantCounts, MerchantDetails, MerchantFilters } from './fields';

/** Limits the cost of counting. */
const MAX_COUNTED = 100_000;

const readAccounts = (db: Database, rest: Prisma.Sql): Promise<MerchantAccount[]> => db.$queryRaw<MerchantAccount[]>`
  select id, environment::text, name, email, phone, status::text, cost_rate, cost_fixed, creation_date, suspension_reason,
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

export async function findMerchant(db: Database, id: string): Promise<MerchantDetails> {
  const [[account], balances, counts] = await Promise.all([
    readAccounts(db, Prisma.sql`where id = ${id}`),
    merchantBalances(db, id),
    countRecords(db, id),
  ]);
  if (!account) throw new ApiError('not_found', 'unknown_merchant', { id });
  return { ...account, ...balances, counts };
}

async function countRecords(db: Database, id: string): Promise<MerchantCounts> {
  const count = (table: string, condition = 'true'): Prisma.Sql => Prisma.sql`(select count(*)::integer from (
    select from ${Prisma.raw(table)} where merchant_id = ${id} and ${Prisma.raw(condition)} limit ${MAX_COUNTED}) as counted)`;
  const [counts] = await db.$queryRaw<MerchantCounts[]>`
    select ${count('customers', "status = 'active'")} as customers, ${count('cards')} as cards,
      ${count('transactions')} as transactions, ${count('subscriptions', "status <> 'cancelled'")} as subscriptions,
      ${count('webhooks')} as webhooks`;
  if (!counts) throw new Error('a select without a table returns one row');
  return counts;
}

/** Applies to new charges only. */
export async function changeCosts(db: Database, by: AuditOrigin, { id, rate, fixed }: MerchantCosts): Promise<void> {
  if (fixed < 0n) throw new ApiError('invalid_value', 'is_negative', { field: 'fixed' });
  await db.$transaction(async tx => {
    const [row] = await tx.$queryRaw<{ cost_rate: number; cost_fixed: bigint }[]>`
      select cost_rate, cost_fixed from merchants where id = ${id} for no key update`;
    if (!row) throw new ApiError('not_found', 'unknown_merchant', { id });
    const shown = (cost_rate: number, cost_fixed: bigint) => ({
      rate: cost_rate / 100,
      fixed: formatMoney(cost_fixed),
    });
    const changes = changedMembers(shown(row.cost_rate, row.cost_fixed), shown(rate, fixed));
    if (Object.keys(changes.after ?? {}).length === 0) return;
    await tx.merchant.update({ where: { id }, data: { cost_rate: rate, cost_fixed: fixed } });
    await tx.auditEntry.create({ data: auditEntry(by, 'merchant.costs_changed', { object_id: id, ...changes }, id) });
  });
}
