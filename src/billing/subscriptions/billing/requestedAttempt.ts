/**
 * A change that makes a charge due at once: a retry, a new card for an unpaid period, or an ended trial. The charge passes
 * the gate before the change is written, so that a refusal leaves the subscription as it was.
 */

import { countryOf } from '../../../gateway/fraud/rule';
import { beginAttempt, type CardAttempt } from '../../../gateway/gate';
import { originOf } from '../../../payments/cardDetails/origin';
import { reloadTransaction } from '../../../payments/charges/rows';
import type { Database } from '../../../platform/database/connection';
import { isRetryable } from '../../../platform/errors';
import type { Context } from '../../../schema/operation/context';
import { clockNow, type SubscriptionRow, stateOf } from '../rows';
import { amountOf, opened } from '../rules/invoices';
import type { SubscriptionSource } from '../source';
import { awaitAttempt } from './awaitAttempt';
import { isDue, nextActionOf } from './snapshot';

/** Called with the row that a change would write. */
export type BeforeChange = (after: SubscriptionRow) => Promise<void>;

/** Writes the change, and waits for the charge that it causes. */
export async function chargeAtOnce(
  context: Context,
  source: SubscriptionSource | undefined,
  write: (beforeChange: BeforeChange) => Promise<SubscriptionRow>,
): Promise<SubscriptionRow> {
  const attempts: CardAttempt[] = [];
  try {
    const changed = await write(async after => {
      if (attempts.length > 0 || !causesCharge(after)) return;
      const attempt = await beginAttempt(context, context.merchant_id, originOf(context));
      attempts.push(attempt);
      await attempt.admit(factsOf(after, source));
    });
    const row = await context.yieldSlotWhile(() => awaitAttempt(context, changed));
    for (const attempt of attempts) await attempt.end(await outcomeOf(context.db, changed, row));
    return row;
  } finally {
    for (const attempt of attempts) await attempt.end();
  }
}

function causesCharge(after: SubscriptionRow): boolean {
  const next = nextActionOf(after);
  return after.try_now || (next.do === 'charge' && isDue(after, next));
}

function factsOf(row: SubscriptionRow, source: SubscriptionSource | undefined) {
  const { merchant_id, customer_id, card } = row;
  const state = stateOf(row);
  const next = nextActionOf(row);
  const period = next.do === 'charge' ? next.attempt.period : row.current_period_number;
  const amount = amountOf(period > row.current_period_number ? opened(state, period) : state, period);
  return {
    ...{ merchant_id, customer_id, amount },
    at: new Date(clockNow(row)),
    card_id: card.id,
    card_number: card.card_number,
    country: countryOf(card),
    device: card.device_session_id,
    // A new card is not stored yet.
    fingerprint: source?.sealed?.fingerprint,
  };
}

/** Undefined if nothing was sent, or without an answer. */
async function outcomeOf(
  db: Database,
  changed: SubscriptionRow,
  { transaction_id }: SubscriptionRow,
): Promise<{ approved: boolean } | undefined> {
  if (!transaction_id || transaction_id === changed.transaction_id) return undefined;
  const { status, error_code, fraud_rules } = await reloadTransaction(db, transaction_id);
  if (status === 'failed') return isRetryable(error_code) || fraud_rules ? undefined : { approved: false };
  return status === 'completed' ? { approved: true } : undefined;
}
