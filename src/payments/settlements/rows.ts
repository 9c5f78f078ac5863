/** Settlement report rows, and the receipt of report parts. */
import { createHash } from 'node:crypto';
import { Prisma } from '../../../prisma/generated/client';
import type { Environment } from '../../../prisma/generated/enums';
import {
  MAX_PART_ITEMS,
  type ReportedItem,
  type ReportPart,
  type SettlementType,
  transactionOf,
} from '../../gateway/acquirer/settlementReport';
import { type Database, queryRows } from '../../platform/database/connection';
import { insertFrom, recordsOf } from '../../platform/database/rows';
import { ApiError } from '../../platform/errors';
import { newId } from '../../platform/identifiers';
import { idOf } from '../statement/types';
import type { SettlementItem } from './fields';
import type { SettlementRow } from './view';

/** Ledger movement of each item type; its name ends with the transaction ID. */
const movementNames: Record<SettlementType, string> = {
  charge: 'charge',
  refund: 'refund',
  chargeback: 'chargeback accepted',
  payout: 'payout paid',
};

/** Writes a part with its items and outbox row atomically. Ignores a repeated part. */
export async function receivePart(db: Database, environment: Environment, part: ReportPart): Promise<void> {
  await requireMerchants(db, environment, part);
  await db.$transaction(async tx => {
    const report_id = await findOrCreateReport(tx, environment, part);
    const hash = createHash('sha256').update(JSON.stringify(part)).digest();
    const received = { report_id, part: part.part, hash };
    const { count } = await tx.settlementPart.createMany({ data: received, skipDuplicates: true });
    if (count === 0) return rejectDifferentPart(tx, received);
    const items = part.items.map((item, i) => toItemRow(report_id, (part.part - 1) * MAX_PART_ITEMS + i + 1, item));
    if (items.length > 0)
      await tx.$executeRaw(
        insertFrom('settlement_items', 'item', Prisma.sql`from ${recordsOf('settlement_items', items)} as item`),
      );
    await tx.outbox.create({ data: { kind: 'settlement', object_id: report_id, environment } });
  });
}

/** Rejects a first part without merchants of this environment: the report belongs to the other environment. */
async function requireMerchants(db: Database, environment: Environment, part: ReportPart): Promise<void> {
  const { id: reference, items } = part;
  if (items.length === 0) return;
  if ((await db.settlementReport.count({ where: { environment, reference } })) > 0) return;
  const id = { in: [...new Set(items.map(({ merchant }) => merchant))] };
  if (!(await db.merchant.findFirst({ where: { id, environment }, select: { id: true } })))
    throw new ApiError('not_found', 'unknown_reported_merchant');
}

async function findOrCreateReport(
  tx: Prisma.TransactionClient,
  environment: Environment,
  { id: reference, day, parts, count, total, date }: ReportPart,
): Promise<string> {
  const header = { day, parts, count, total: BigInt(total) };
  const creation_date = date === undefined ? new Date() : new Date(date);
  const data = { id: newId('settlement_report'), environment, reference, creation_date, ...header };
  await tx.settlementReport.createMany({ data, skipDuplicates: true });
  const known = await tx.settlementReport.findUniqueOrThrow({
    where: { environment_reference: { environment, reference } },
  });
  const differing = (Object.keys(header) as (keyof typeof header)[]).find(name => known[name] !== header[name]);
  if (differing) throw new ApiError('not_allowed', 'report_differs', { member: differing });
  return known.id;
}

async function rejectDifferentPart(
  tx: Prisma.TransactionClient,
  { report_id, part, hash }: { report_id: string; part: number; hash: Buffer },
): Promise<void> {
  const known = await tx.settlementPart.findUniqueOrThrow({ where: { report_id_part: { report_id, part } } });
  if (!hash.equals(known.hash)) throw new ApiError('not_allowed', 'report_part_differs');
}

function toItemRow(report_id: string, line: number, item: ReportedItem) {
  const { merchant: merchant_id, type, key, amount, date } = item;
  const transaction_id = transactionOf(item).slice(0, 45);
  const movement = `${movementNames[type]} ${transaction_id}`;
  return { report_id, line, merchant_id, type, key, amount, date: new Date(date), transaction_id, movement };
}

export const REPORT_STATUSES = ['receiving', 'matching', 'matched', 'differs', 'refused'] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];

export const DIFFERENCES = ['unknown', 'other_merchant', 'not_in_books', 'wrong_amount', 'repeated'] as const;

export type ItemOwner = Pick<SettlementRow, 'report_id' | 'merchant_id'>;

export interface ListedItem extends SettlementItem {
  line: number;
}

/** The next items after a line. */
export async function readItems(
  db: Database,
  { report_id, merchant_id }: ItemOwner,
  after: number,
  limit: number,
): Promise<ListedItem[]> {
  const rows = await queryRows<Omit<ListedItem, 'id' | 'net'> & { movement: string }>(
    db,
    Prisma.sql`
    select page.*, coalesce(t.order_id, parent.order_id) as order_id
    from (
      select line, type, transaction_id, movement, date, amount, cost, cost_tax from settlement_items
      where report_id = ${report_id} and merchant_id = ${merchant_id} and line > ${after} and result = 'matched'
      order by line limit ${limit}
    ) as page join transactions t on t.id = page.transaction_id left join transactions parent on parent.id = t.parent_id
    order by line`,
  );
  return rows.map(({ movement, ...row }) => ({
    ...row,
    id: idOf(movement),
    net: row.amount - row.cost - row.cost_tax,
  }));
}
