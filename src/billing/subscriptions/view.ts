/** API representation of subscriptions, also stored in events. */
import { dayOf } from '../../../workflows/calendar';
import { toCard } from '../../payments/cards/resolver';
import { findTransaction } from '../../payments/charges/rows';
import type { Database } from '../../platform/database/connection';
import type { Subscription, SubscriptionCard, SubscriptionStatusName } from './fields';
import { type SubscriptionRow, stateOf } from './rows';
import { isUsedUp } from './rules/invoices';
import { changeDay, datesOf, pauseStart } from './rules/periods';
import type { PlannedChange } from './rules/prices';
import { waitsForNewCard } from './rules/retries';
import type { BillingState } from './rules/state';

export function toSubscription(row: SubscriptionRow): Subscription {
  const state = stateOf(row);
  return {
    ...row,
    ...datesOf(state),
    pause: row.is_paused ? { since: pauseStart(state), resume_date: row.resume_date } : null,
    pending_change: row.pending_change && pendingChangeOf(state, row.pending_change),
    coupon: row.discount && !isUsedUp(row.discount) ? row.discount : null,
    extras: row.extras.length > 0 ? row.extras : null,
    credit_balance: row.credit_balance > 0n ? row.credit_balance : null,
    // The status `new` is never visible.
    status: row.status as SubscriptionStatusName,
    card: cardOf(row),
    next_retry_date: row.status === 'past_due' ? dayOf(row.due_at.getTime()) : null,
    retries_left: row.status === 'past_due' ? row.retries_left : null,
    waiting_for: row.open?.payment ? 'payment' : waitsForNewCard(row) ? 'new_card' : null,
  };
}

const pendingChangeOf = (state: BillingState, { terms, quantity }: PlannedChange) => ({
  plan_id: terms.plan_id,
  quantity,
  date: changeDay(state),
});

/** Adds the decline of the latest charge, which lists and events omit. */
export async function withDecline(db: Database, row: SubscriptionRow): Promise<Subscription> {
  const isCollected = row.status === 'trial' || row.status === 'active' || row.transaction_id === null;
  const charge = isCollected ? null : await findTransaction(db, { id: row.transaction_id ?? '' });
  const { error_code = null, error_message = null } = charge?.status === 'failed' ? charge : {};
  return { ...toSubscription(row), error_code, error_message };
}

/** A held card has no public ID. */
function cardOf({ card, customer_id, holds_card }: SubscriptionRow): SubscriptionCard {
  const { id, ...cardFields } = toCard(card);
  return { ...cardFields, customer_id, ...(holds_card ? {} : { id }) };
}
