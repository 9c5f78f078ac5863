/** Builds the row of a new subscription and inserts it with its card, first charge or event in one SQL statement. */
import { Prisma } from '../../../../prisma/generated/client';
import { initialState, transition } from '../../../../workflows/billing';
import type { PlanTerms } from '../../../../workflows/state';
import { merchantIsActive } from '../../../accounts/merchants/suspension';
import { NEW_LEASE } from '../../../payments/charges/card/prepare';
import type { TransactionRow } from '../../../payments/charges/rows';
import type { CustomerRow } from '../../../payments/customers/rows';
import type { ClockReading } from '../../../platform/database/clock';
import { insertOutbox } from '../../../platform/database/outbox';
import { idsOf, insertDependents, insertFrom, recordsOf, statement } from '../../../platform/database/rows';
import type { Context } from '../../../schema/operation/context';
import { fieldsOf } from '../../../schema/shapes';
import type { PlanRow } from '../../plans/rows';
import { subscriptionEvent } from '../billing/applyEvent';
import { insertPeriodCharges, periodCharge } from '../billing/insertCharges';
import { CreateSubscription } from '../fields';
import type { SubscriptionRow } from '../rows';
import { holdCardParts, type SubscriptionSource } from '../source';

export interface NewSubscription {
  input: CreateSubscription;
  id: string;
  /** ID of the first charge; unused with a trial. */
  transaction_id: string;
  customer: CustomerRow;
  plan: PlanRow;
  trial_end_date: string;
  clock: ClockReading;
}

export function newSubscriptionRow(
  { merchant_id, environment }: Context,
  subscription: NewSubscription,
  { card, holds_card }: SubscriptionSource,
): SubscriptionRow {
  const { id, transaction_id, customer, plan, trial_end_date, clock } = subscription;
  const { retry_times, repeat_every } = plan;
  const terms: PlanTerms = {
    retry_times,
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
    // No e-mails about the first charge, whose outcome is the response.
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
  };
}

type InsertedSubscription = TransactionRow & {
  number_sealed: Uint8Array<ArrayBuffer> | null;
  cvv2_sealed: Uint8Array<ArrayBuffer> | null;
};

/**
 * Checks customer, plan and card under locks that block their deletion. Returns undefined if the insert was refused or done
 * by an earlier run.
 */
export async function insertSubscription(
  { db }: Context,
  row: SubscriptionRow,
  source: SubscriptionSource,
): Promise<InsertedSubscription | undefined> {
  const { id, merchant_id, customer_id, plan_id, card_id, creation_date } = row;
  const isTrial = row.status === 'trial';
  const hasCard = row.holds_card
    ? Prisma.sql`${source.sealed !== undefined}`
    : Prisma.sql`exists (select from usable_card)`;
  const written = idsOf('new_subscription');
  const eventAndWorkflow = () => {
    const created = { ...subscriptionEvent('subscription.created', row), merchant_id, object_id: id, creation_date };
    return {
      new_event: insertDependents('events', [{ cause: id, row: created }], written),
      new_workflow: insertOutbox('subscription', written, {
        environment: Prisma.sql`${row.environment}::"Environment"`,
      }),
    };
  };
  const firstCharge = () => ({
    inserted_charge: insertPeriodCharges([periodCharge(row, creation_date.getTime())], written, NEW_LEASE),
    used_cvv2: Prisma.sql`
      update cards set cvv2_sealed = null, cvv2_date = null from new_subscription
      where cards.id = ${card_id} and cards.cvv2_sealed is not null`,
  });
  const parts = {
    active_customer: Prisma.sql`
      select id from customers where id = ${customer_id} and merchant_id = ${merchant_id} and status = 'active' for share`,
    active_plan: Prisma.sql`
      select id from plans where id = ${plan_id} and merchant_id = ${merchant_id} and status = 'active' for share`,
    usable_card: Prisma.sql`
      select id, number_sealed, cvv2_sealed from cards where id = ${card_id} and status = 'active' for no key update`,
    new_subscription: insertFrom(
      'subscriptions',
      'subscription',
      Prisma.sql`from ${recordsOf('subscriptions', [row])} as subscription, active_customer, active_plan
        where ${hasCard} and ${merchantIsActive('subscription')} and not exists (select from transactions where id = ${row.transaction_id})
        on conflict do nothing returning id`,
    ),
    new_line: insertDependents(
      'subscription_lines',
      [{ cause: id, row: { subscription_id: id, date: creation_date, event: 'created' } }],
      written,
    ),
    ...holdCardParts(source, id, written, isTrial),
    ...(isTrial ? eventAndWorkflow() : firstCharge()),
  };
  const result = Prisma.sql`
    select inserted_charge.*, usable_card.number_sealed, usable_card.cvv2_sealed
    from inserted_charge left join usable_card on true`;
  const [inserted] = await db.$queryRaw<InsertedSubscription[]>(statement(parts, isTrial ? written : result));
  return inserted;
}
