/** The row of a new subscription. */
import { storedIva } from '../../../payments/charges/tax';
import type { CustomerRow } from '../../../payments/customers/rows';
import type { ClockReading } from '../../../platform/database/clock';
import type { Context } from '../../../schema/operation/context';
import { fieldsOf } from '../../../schema/shapes';
import type { PlanRow } from '../../plans/rows';
import { CreateSubscription } from '../fields';
import type { SubscriptionRow } from '../rows';
import { initialState, transition } from '../rules/billing';
import type { PlanTerms } from '../rules/state';
import type { SubscriptionSource } from '../source';

export interface NewSubscription {
  input: CreateSubscription;
  id: string;
  /** The ID of the first charge, if there is no trial. */
  transaction_id: string;
  customer: CustomerRow;
  plan: PlanRow;
  trial_end_date: string;
  clock: ClockReading;
  /** The payment link that the subscription completes. */
  payment_link_id?: string | undefined;
}

export function newSubscriptionRow(
  { merchant_id, environment }: Context,
  subscription: NewSubscription,
  { card, holds_card }: SubscriptionSource,
): SubscriptionRow {
  const { id, transaction_id, customer, plan, trial_end_date, clock } = subscription;
  const { retry_times, retry_schedule, repeat_every } = plan;
  const terms: PlanTerms = {
    retry_times,
    retry_schedule,
    repeat_every,
    repeat_unit: plan.repeat_unit,
    status_after_retry: plan.status_after_retry,
  };
  const at = clock.now.getTime();
  const realTime = at - clock.offset * 1000;
  const first = initialState(id, terms, card.id, at, trial_end_date);
  const attempt = { period: 1, attempt: 1, free: false };
  const { due_at, ...state } =
    first.status === 'trial' ? first : transition(first, { type: 'prepared', realTime, attempt, transaction_id });
  const { card: _, ...columns } = fieldsOf(CreateSubscription, subscription.input);
  return {
    ...columns,
    ...state,
    ...terms,
    due_at: new Date(due_at),
    merchant_id,
    environment,
    customer_id: customer.id,
    customer_status: customer.status,
    requires_account: customer.requires_account,
    // None is about the first charge, whose outcome the request answers.
    subscription_emails: false,
    suspension: null,
    hold: null,
    plan_id: plan.id,
    plan_name: plan.name,
    amount: plan.amount,
    card,
    holds_card,
    creation_date: clock.now,
    version: 1,
    transaction_id: first.status === 'trial' ? null : transaction_id,
    clock_offset: 0,
    clock_at: null,
    clock_to: null,
    offset: clock.offset,
    read_at: new Date(realTime),
    read_mark: performance.now(),
    metadata: subscription.input.metadata ?? null,
    iva: storedIva(subscription.input.iva) ?? null,
    plan_iva: plan.iva,
  };
}
