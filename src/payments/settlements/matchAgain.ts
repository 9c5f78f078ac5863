/**
 * Items that the books did not hold when their report was matched: the outcome of a charge became known later, a
 * chargeback was told of after it was settled, or a database that was restored has caught up.
 */
import type { Prisma } from '../../../prisma/generated/client';
import type { Database } from '../../platform/database/connection';
import type { Environments } from '../../platform/database/environments';
import { closeReport } from './closeReport';
import {
  findChangedReports,
  matchNextItems,
  reopenFoundItems,
  updateSettlements,
  writeSettlements,
} from './matching/rows';

const MAX_REPORTS = 100;
/** A report may have millions of items. */
const TIMEOUT_MS = 50_000;

/** Counts the reports of which more matches than before. Merchants read it in their settlements. */
export async function matchFoundItems(db: Database, environments: Environments): Promise<{ count: number }> {
  const reports = await findChangedReports(db, environments, MAX_REPORTS);
  for (const { id } of reports) await db.$transaction(tx => matchReportAgain(tx, id), { timeout: TIMEOUT_MS });
  return { count: reports.length };
}

async function matchReportAgain(tx: Prisma.TransactionClient, id: string): Promise<void> {
  // One process at a time; whoever comes second finds nothing left to do.
  await reopenFoundItems(tx, id);
  while ((await matchNextItems(tx, id, true)).isMore);
  await updateSettlements(tx, id);
  while (await writeSettlements(tx, id));
  await closeReport(tx, id);
}
