/** The row of a new subscription. */
import { storedIva } from '../../../payments/charges/tax';
import type { CustomerRow } from '../../../payments/customers/rows';
import type { ClockReading } from '../../../platform/database/clock';
import type { Context } from '../../../schema/operation/context';
import { fieldsOf } from '../../../schema/shapes';
import type { CouponRow } from '../../coupons/rows';
import { type PlanRow, termsOf } from '../../plans/rows';
import { CreateSubscription } from '../fields';
import type { SubscriptionRow } from '../rows';
import { initialState, transition } from '../rules/billing';
import { costsNothing } from '../rules/invoices';
import type { Discount } from '../rules/prices';
import type { BillingState } from '../rules/state';
import type { SubscriptionSource } from '../source';

export interface NewSubscription {
  input: CreateSubscription;
  id: string;
  /** The ID of the first charge, if there is no trial. */
  transaction_id: string;
  customer: CustomerRow;
  plan: PlanRow;
  trial_end_date: string;
  coupon: CouponRow | null;
  discount: Discount | null;
  clock: ClockReading;
  /** The payment link that the subscription completes. */
  payment_link_id?: string | undefined;
}

function firstState(
  { id, input, plan, discount, trial_end_date, clock }: NewSubscription,
  card_id: string,
): BillingState {
  const { quantity = 1 } = input;
  return initialState(id, termsOf(plan), card_id, clock.now.getTime(), trial_end_date, { quantity, discount });
}

/** False during a trial, and for a first period that costs nothing. */
export function isChargedAtOnce(subscription: NewSubscription): boolean {
  const first = firstState(subscription, '');
  return first.status !== 'trial' && !costsNothing(first, 1);
}

export function newSubscriptionRow(
  { merchant_id, environment }: Context,
  subscription: NewSubscription,
  { card, holds_card }: SubscriptionSource,
): SubscriptionRow {
  const { transaction_id, customer, clock } = subscription;
  const at = clock.now.getTime();
  const realTime = at - clock.offset * 1000;
  const first = firstState(subscription, card.id);
  const attempt = { period: 1, attempt: 1, free: false };
  const begun = (): BillingState =>
    isChargedAtOnce(subscription)
      ? transition(first, { type: 'prepared', realTime, attempt, transaction_id })
      : transition(first, { type: 'covered', at });
  const { due_at, terms, ...state } = first.status === 'trial' ? first : begun();
  const { card: _, coupon: __, ...columns } = fieldsOf(CreateSubscription, subscription.input);
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
    payer_emails: [],
    suspension: null,
    hold: null,
    card,
    holds_card,
    creation_date: clock.now,
    version: 1,
    transaction_id: state.open ? transaction_id : null,
    clock_offset: 0,
    clock_at: null,
    clock_to: null,
    offset: clock.offset,
    read_at: new Date(realTime),
    read_mark: performance.now(),
    metadata: subscription.input.metadata ?? null,
    iva: storedIva(subscription.input.iva) ?? null,
  };
}
