/**
 * A subscription begins. With a trial it is written and told of in one statement. Without one its first charge is made first: until the
 * outcome is known nobody sees it, and where the acquirer gives no answer there is none.
 */
import { Prisma } from '../../prisma/generated/client';
import type { PlanModel } from '../../prisma/generated/models';
import { initialState, transition } from '../../workflows/billing';
import type { PlanTerms } from '../../workflows/state';
import { NoAnswerError } from '../acquirer/port';
import { endedWithoutAnswer } from '../charges/card/charge';
import { CHARGE_LEASE_SECONDS, TRANSACTION_COLUMNS } from '../charges/card/prepare';
import type { TransactionRow } from '../charges/view';
import type { Context } from '../context';
import type { CustomerRow } from '../customers/rows';
import type { ClockReading } from '../database/clock';
import { ApiError } from '../platform/errors';
import { newId as random } from '../platform/identifiers';
import { subscriptionEvent } from './billing/applyEvent';
import { recordFirstCharge, resumeFirstCharge, undoFirstCharge } from './billing/firstCharge';
import { insertChargesCte } from './billing/insertCharges';
import { type SubscriptionRow, subscriptionById } from './rows';
import { holdCardCte, type SubscriptionSource } from './source';

export interface NewSubscription {
  id: string;
  /** Of the first charge, where there is no trial. */
  transaction_id: string;
  customer: CustomerRow;
  plan: PlanModel;
  trial_end_date: string;
  clock: ClockReading;
}

export async function createSubscription(
  context: Context,
  begun: NewSubscription,
  source: SubscriptionSource,
): Promise<SubscriptionRow> {
  const { transaction_id } = begun;
  const row = newSubscriptionRow(context, begun, source);
  const charge = await insert(context, row, source);
  if (!charge) return resumeCreation(context, begun);
  if (row.status === 'trial') return row;
  const { number_sealed, cvv2_sealed, ...transaction } = charge;
  const card = { ...source.card, number_sealed: source.sealed?.number_sealed ?? number_sealed, cvv2_sealed };
  if (!card.number_sealed) throw new Error(`${card.id} has lost its number`);
  const sealed = { ...card, number_sealed: card.number_sealed };
  const ask = () => context.acquirer.charge(transaction_id, sealed, row.amount);
  const answer = await ask().catch(error => {
    if (error instanceof NoAnswerError) return undoFirstCharge(context, transaction);
    throw error;
  });
  return recordFirstCharge(context, transaction, answer, row);
}

/** A repeat finds its own subscription and finishes it. */
async function resumeCreation(context: Context, begun: NewSubscription): Promise<SubscriptionRow> {
  const own = await subscriptionById(context.db, begun.id);
  if (!own) return throwWhyNotCreated(context, begun);
  if (own.status !== 'new') return own;
  return resumeFirstCharge(
    context,
    await context.db.transaction.findUniqueOrThrow({ where: { id: begun.transaction_id } }),
  );
}

/** Those of a subscription and its first charge. A repeat gets the same ones again, until that charge has ended without an answer. */
export async function newIds({ db, newId }: Context): Promise<{ id: string; transaction_id: string }> {
  for (;;) {
    const ids = { id: newId('subscription'), transaction_id: newId('transaction') };
    const earlier = newId === random ? null : await db.transaction.findUnique({ where: { id: ids.transaction_id } });
    if (!earlier || !endedWithoutAnswer(earlier)) return ids;
  }
}

/** As it will be written. */
function newSubscriptionRow(
  { merchant_id, environment }: Context,
  begun: NewSubscription,
  { card, holds_card }: SubscriptionSource,
): SubscriptionRow {
  const { id, transaction_id, customer, plan, trial_end_date, clock } = begun;
  const { retry_times, repeat_every } = plan;
  const terms = {
    retry_times,
    repeat_every,
    repeat_unit: plan.repeat_unit,
    status_after_retry: plan.status_after_retry,
  } as PlanTerms;
  const at = clock.now.getTime();
  const first = initialState(id, terms, card.id, at, trial_end_date);
  const attempt = { period: 1, attempt: 1, free: false };
  const { due_at, ...state } =
    first.status === 'trial'
      ? first
      : transition(first, { type: 'prepared', real: Date.now(), attempt, transaction_id });
  return {
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

/** With a last look at customer, plan and card, whose deletion waits for it. Undefined where nothing was written, or written before. */
async function insert(
  { db }: Context,
  row: SubscriptionRow,
  source: SubscriptionSource,
): Promise<InsertedSubscription | undefined> {
  const { id, merchant_id, customer_id, plan_id, card_id, holds_card, creation_date, open } = row;
  const isTrial = row.status === 'trial';
  const created = isTrial ? subscriptionEvent('subscription.created', row) : undefined;
  const [written] = await db.$queryRaw<InsertedSubscription[]>`
    with live as (
      select id from customers where id = ${customer_id} and merchant_id = ${merchant_id} and status = 'active' for share
    ), offered as (
      select id from plans where id = ${plan_id} and merchant_id = ${merchant_id} and status = 'active' for share
    ), usable as (
      select id, number_sealed, cvv2_sealed from cards where id = ${card_id} and status = 'active' for no key update
    ), new as (
      insert into subscriptions (id, merchant_id, customer_id, plan_id, card_id, holds_card, creation_date, status, trial_end_date,
        first_charge_day, due_at, open, transaction_id)
      select ${id}, ${merchant_id}, live.id, offered.id, ${card_id}, ${holds_card}, ${creation_date}, ${row.status}, ${row.trial_end_date},
        ${row.first_charge_day}, ${row.due_at}, ${open && JSON.stringify(open)}::jsonb, ${row.transaction_id}
      from live, offered where ${holds_card ? source.sealed !== undefined : Prisma.sql`exists (select from usable)`}
        and not exists (select from transactions where id = ${row.transaction_id})
      on conflict do nothing returning id
    ), line as (
      insert into subscription_lines (subscription_id, date, event) select id, ${creation_date}, 'created' from new
    ), told as (
      insert into events (id, merchant_id, type, object_id, object, creation_date)
      select ${created?.id ?? ''}, ${merchant_id}, ${created?.type ?? ''}, id, ${JSON.stringify(created?.object ?? null)}::jsonb, ${creation_date} from new where ${isTrial}
    ), queued as (
      insert into outbox (kind, object_id) select 'subscription', id from new where ${isTrial}
    ), taken as (
      update cards set cvv2_sealed = null, cvv2_date = null from new
      where ${!isTrial} and cards.id = ${card_id} and cards.cvv2_sealed is not null
    ) ${holdCardCte(source, 'new', isTrial)}
    ${isTrial ? Prisma.empty : insertChargesCte([{ row, at: creation_date.getTime(), leaseSeconds: CHARGE_LEASE_SECONDS }], 'new', TRANSACTION_COLUMNS)}
    ${isTrial ? Prisma.sql`select id from new` : Prisma.sql`select charge.*, usable.number_sealed, usable.cvv2_sealed from charge left join usable on true`}`;
  return written;
}

/** Why nothing was written. */
async function throwWhyNotCreated({ db }: Context, { customer, plan }: NewSubscription): Promise<never> {
  const [owner, offer] = await Promise.all([
    db.customer.findUnique({ where: { id: customer.id } }),
    db.plan.findUnique({ where: { id: plan.id } }),
  ]);
  if (owner?.status !== 'active' || offer?.status !== 'active') throw new ApiError('not_found');
  throw new ApiError('invalid_value', 'source_id is unknown or cannot be used here');
}
