/** A row as REST, GraphQL and events show it. */
import { datesOf } from '../../workflows/billing';
import { dayOf } from '../../workflows/calendar';
import { toCard } from '../cards/resolver';
import type { Subscription, SubscriptionCard, SubscriptionStatusName } from './fields';
import { type SubscriptionRow, stateOf } from './rows';

export const toSubscription = (row: SubscriptionRow): Subscription => ({
  id: row.id,
  creation_date: row.creation_date,
  // A new one is not visible yet, so nobody is shown it.
  status: row.status as SubscriptionStatusName,
  cancel_at_period_end: row.cancel_at_period_end,
  ...datesOf(stateOf(row)),
  current_period_number: row.current_period_number,
  trial_end_date: row.trial_end_date,
  plan_id: row.plan_id,
  customer_id: row.customer_id,
  card: cardOf(row),
  transaction_id: row.transaction_id,
  ...(row.status === 'past_due'
    ? { next_retry_date: dayOf(row.due_at.getTime()), retries_left: row.retries_left }
    : {}),
});

/** A card that only this subscription has is shown without an id. */
function cardOf({ card, customer_id, holds_card }: SubscriptionRow): SubscriptionCard {
  const { id, ...cardFields } = toCard(card);
  return { ...cardFields, customer_id, ...(holds_card ? {} : { id }) };
}
