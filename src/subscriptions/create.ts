/**
 * Creates a subscription. With a trial, one statement inserts and announces it. Without one, its first charge is made
 * first: until the outcome is known the subscription is invisible, and if the acquirer gives no answer there is none.
 */
import { Prisma } from '../../prisma/generated/client';
import { initialState, transition } from '../../workflows/billing';
import type { PlanTerms } from '../../workflows/state';
import { NoAnswerError } from '../acquirer/port';
import { endedWithoutAnswer } from '../charges/card/charge';
import { newLease } from '../charges/card/prepare';
import { findTransaction, reloadTransaction, type TransactionRow } from '../charges/rows';
import type { Context } from '../context';
import type { CustomerRow } from '../customers/rows';
import type { ClockReading } from '../database/clock';
import { findOwnWork } from '../database/findOwnWork';
import { insertOutbox } from '../database/outbox';
import { idsOf, insertDependents, insertFrom, recordsOf, statement } from '../database/rows';
import type { PlanRow } from '../plans/rows';
import { ApiError } from '../platform/errors';
import { newId as random } from '../platform/identifiers';
import { fieldsOf } from '../schema/shapes';
import { subscriptionEvent } from './billing/applyEvent';
import { recordFirstCharge, resumeFirstCharge, reverseFirstCharge } from './billing/firstCharge';
import { insertPeriodCharges, periodCharge } from './billing/insertCharges';
import { CreateSubscription } from './fields';
import { type SubscriptionRow, subscriptionById } from './rows';
import { holdCardParts, type SubscriptionSource } from './source';

export interface NewSubscription {
  input: CreateSubscription;
  id: string;
  /** Of the first charge, if there is no trial. */
  transaction_id: string;
  customer: CustomerRow;
  plan: PlanRow;
  trial_end_date: string;
  clock: ClockReading;
}

export async function createSubscription(
  context: Context,
  subscription: NewSubscription,
  source: SubscriptionSource,
): Promise<SubscriptionRow> {
  const row = newSubscriptionRow(context, subscription, source);
  const inserted = await insertSubscription(context, row, source);
  if (!inserted) return resumeCreation(context, subscription);
  if (row.status === 'trial') return row;
  const { number_sealed, cvv2_sealed, ...charge } = inserted;
  const card = { ...source.card, number_sealed: source.sealed?.number_sealed ?? number_sealed, cvv2_sealed };
  if (!card.number_sealed) throw new Error(`${card.id} has lost its number`);
  const sealed = { ...card, number_sealed: card.number_sealed };
  const answer = await context.acquirer.charge(subscription.transaction_id, sealed, row.amount).catch(error => {
    if (error instanceof NoAnswerError) return reverseFirstCharge(context, charge);
    throw error;
  });
  return recordFirstCharge(context, charge, answer, row);
}

/** A repeated request finds the subscription that it inserted before, and finishes it. */
async function resumeCreation(context: Context, subscription: NewSubscription): Promise<SubscriptionRow> {
  const existing = await findOwnWork(subscriptionById(context.db, subscription.id), () =>
    throwWhyNotCreated(context, subscription),
  );
  if (existing.status !== 'new') return existing;
  return resumeFirstCharge(context, await reloadTransaction(context.db, subscription.transaction_id));
}

/**
 * For a subscription and its first charge. A repeated request gets the same ids, unless that charge ended without an
 * answer.
 */
export async function newSubscriptionIds({ db, newId }: Context): Promise<{ id: string; transaction_id: string }> {
  for (;;) {
    const ids = { id: newId('subscription'), transaction_id: newId('transaction') };
    const earlier = newId === random ? undefined : await findTransaction(db, { id: ids.transaction_id });
    if (!earlier || !endedWithoutAnswer(earlier)) return ids;
  }
}

function newSubscriptionRow(
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
  const first = initialState(id, terms, card.id, at, trial_end_date);
  const attempt = { period: 1, attempt: 1, free: false };
  const { due_at, ...state } =
    first.status === 'trial'
      ? first
      : transition(first, { type: 'prepared', realTime: Date.now(), attempt, transaction_id });
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
  };
}

type InsertedSubscription = TransactionRow & {
  number_sealed: Uint8Array<ArrayBuffer> | null;
  cvv2_sealed: Uint8Array<ArrayBuffer> | null;
};

/**
 * Checks customer, plan and card under locks that their deletion waits for. Undefined if nothing was inserted, or
 * already before.
 */
async function insertSubscription(
  { db }: Context,
  row: SubscriptionRow,
  source: SubscriptionSource,
): Promise<InsertedSubscription | undefined> {
  const { id, merchant_id, customer_id, plan_id, card_id, creation_date } = row;
  const isTrial = row.status === 'trial';
  const isCardThere = row.holds_card
    ? Prisma.sql`${source.sealed !== undefined}`
    : Prisma.sql`exists (select from usable_card)`;
  const written = idsOf('new_subscription');
  const announcement = () => {
    const created = { ...subscriptionEvent('subscription.created', row), merchant_id, object_id: id, creation_date };
    return {
      new_event: insertDependents('events', [{ cause: id, row: created }], written),
      new_workflow: insertOutbox('subscription', written),
    };
  };
  const firstCharge = () => ({
    inserted_charge: insertPeriodCharges([periodCharge(row, creation_date.getTime(), newLease())], written),
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
        where ${isCardThere} and not exists (select from transactions where id = ${row.transaction_id})
        on conflict do nothing returning id`,
    ),
    new_line: insertDependents(
      'subscription_lines',
      [{ cause: id, row: { subscription_id: id, date: creation_date, event: 'created' } }],
      written,
    ),
    ...holdCardParts(source, id, written, isTrial),
    ...(isTrial ? announcement() : firstCharge()),
  };
  const result = Prisma.sql`
    select inserted_charge.*, usable_card.number_sealed, usable_card.cvv2_sealed
    from inserted_charge left join usable_card on true`;
  const [inserted] = await db.$queryRaw<InsertedSubscription[]>(statement(parts, isTrial ? written : result));
  return inserted;
}

async function throwWhyNotCreated({ db }: Context, { customer, plan }: NewSubscription): Promise<never> {
  const [currentCustomer, currentPlan] = await Promise.all([
    db.customer.findUnique({ where: { id: customer.id } }),
    db.plan.findUnique({ where: { id: plan.id } }),
  ]);
  if (currentCustomer?.status !== 'active' || currentPlan?.status !== 'active') throw new ApiError('not_found');
  throw new ApiError('invalid_value', { field: 'source_id', problem: 'is unknown or cannot be used here' });
}
