/**
 * Writes the outcome of a charge (row, ledger entries, event and outbox) in one statement, unless another process has
 * already written one.
 */
import type { Database } from '../../../platform/database/connection';
import { observable } from '../../../platform/metrics/observable';
import { reloadTransaction, type TransactionProgress, type TransactionRow } from '../rows';
import { type ChargeOutcome, settleBatch } from './rows';

/** Published once the outcome of a charge is written. */
export const chargeSettled = observable<{ db: Database; row: TransactionRow }>('recaudo:charge:settled');

/** Writes concurrent outcomes in one batch. Returns false if another process has written an outcome. */
export async function settle(db: Database, from: TransactionProgress, outcome: ChargeOutcome): Promise<boolean> {
  if ((await settleBatch(db, { from, outcome })) === undefined) return false;
  const { row } = outcome;
  if (row.transaction_type === 'charge') chargeSettled.publish({ db, row });
  return true;
}

/** Returns the row with this outcome, or with that of another process. */
export const settleOrReload = async (
  db: Database,
  from: TransactionProgress,
  outcome: ChargeOutcome,
): Promise<TransactionRow> => ((await settle(db, from, outcome)) ? outcome.row : reloadTransaction(db, outcome.row.id));
