/** Writes the outcome of a period's charge and the change of its subscription in one statement. */
import { type ChargeOutcome, chargeSettled } from '../../../payments/charges/outcome/rows';
import type { Database } from '../../../platform/database/connection';
import { observable } from '../../../platform/metrics/observable';
import type { SubscriptionRow } from '../rows';
import type { RowChange } from './applyEvent';
import { settleBatch } from './rows';

interface AnsweredRenewal {
  /** The row before the answer. */
  subscription: SubscriptionRow;
  outcome: string;
  /** Undefined while the outcome is unknown. */
  at?: Date;
}

/** Published after an answer, or its absence, was recorded. */
export const renewalAnswered = observable<AnsweredRenewal>('recaudo:renewal:answered');

/**
 * False if the subscription's row has changed since it was read. Settlements that arrive together share a statement.
 */
export async function settlePeriod(db: Database, outcome: ChargeOutcome, change: RowChange): Promise<boolean> {
  if ((await settleBatch(db, { outcome, change })) === undefined) return false;
  const { row } = outcome;
  chargeSettled.publish({ db, row });
  const { before, lines } = change;
  // A change is no renewal.
  if (before.open?.replacement) return true;
  const charged = lines.find(({ transaction_id }) => transaction_id);
  renewalAnswered.publish({ subscription: before, outcome: charged?.event ?? 'charged', at: row.operation_date });
  return true;
}
