/**
 * Matches differing items again after their ledger entries appeared: for example after a late charge outcome, a late
 * chargeback notification or a database restore.
 */
import type { Prisma } from '../../../prisma/generated/client';
import type { Database } from '../../platform/database/connection';
import type { Environments } from '../../platform/database/environments';
import { closeReport } from './closeReport';
import {
  findChangedReports,
  matchNextItems,
  reopenChangedItems,
  updateSettlements,
  writeSettlements,
} from './matching/rows';

const MAX_REPORTS = 100;
/** High, because a report can have millions of items. */
const TIMEOUT_MS = 50_000;

/** Counts the reports of which more matches than before. Merchants read it in their settlements. */
export async function matchChangedReports(db: Database, environments: Environments): Promise<{ count: number }> {
  const reports = await findChangedReports(db, environments, MAX_REPORTS);
  for (const { id } of reports) await db.$transaction(tx => matchChangedReport(tx, id), { timeout: TIMEOUT_MS });
  return { count: reports.length };
}

async function matchChangedReport(tx: Prisma.TransactionClient, id: string): Promise<void> {
  // Locks the report: a second process waits and then finds no items to reopen.
  await reopenChangedItems(tx, id);
  while ((await matchNextItems(tx, id, true)).isMore);
  await updateSettlements(tx, id);
  while (await writeSettlements(tx, id));
  await closeReport(tx, id);
}
