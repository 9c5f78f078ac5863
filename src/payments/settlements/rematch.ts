/**
 * Matches differing items again after their ledger entries appeared: for example after a late charge outcome, a late
 * chargeback notification or a database restore.
 */
import { Prisma } from '../../../prisma/generated/client';
import type { Database } from '../../platform/database/connection';
import { type Environments, isIn } from '../../platform/database/environments';
import { closeReport } from './closeReport';
import { matchNextItems } from './match';
import { updateSettlements, writeSettlements } from './settle';

const MAX_REPORTS = 100;
/** High, because a report can have millions of items. */
const TIMEOUT_MS = 50_000;

/** SQL condition: the differing item `i` of report `r` now equals the ledger. */
const IS_FOUND = Prisma.sql`i.result in ('unknown', 'not_in_books') and exists (
    select from transactions t join merchants m on m.id = t.merchant_id
    where t.id = i.transaction_id and t.progress = 'settled' and t.merchant_id = i.merchant_id and m.environment = r.environment)
  and (select sum(amount) from entries where movement = any(array[i.movement, 'un' || i.movement])
    and account = 'clearing ' || i.merchant_id) = -i.amount`;

/** Returns the number of updated reports. */
export async function rematchItems(db: Database, environments: Environments): Promise<{ count: number }> {
  const reports = await db.$queryRaw<{ id: string }[]>`
    select r.id from settlement_reports r where r.status = 'differs' and ${isIn(environments)}
      and exists (select from settlement_items i where i.report_id = r.id and i.result <> 'matched' and ${IS_FOUND})
    order by r.creation_date limit ${MAX_REPORTS}`;
  for (const { id } of reports) await db.$transaction(tx => rematchReport(tx, id), { timeout: TIMEOUT_MS });
  return { count: reports.length };
}

async function rematchReport(tx: Prisma.TransactionClient, id: string): Promise<void> {
  // Serializes processes; the second one finds no items left.
  await tx.$queryRaw`select from settlement_reports where id = ${id} for update`;
  await tx.$executeRaw`
    update settlement_items i set result = null, expected = null from settlement_reports r
    where r.id = ${id} and i.report_id = r.id and i.result <> 'matched' and ${IS_FOUND}`;
  while ((await matchNextItems(tx, id, true)).isMore);
  await updateSettlements(tx, id);
  while (await writeSettlements(tx, id));
  await closeReport(tx, id);
}
