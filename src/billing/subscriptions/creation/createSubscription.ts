/**
 * Creates a subscription. With a trial or a free first period, one SQL statement inserts it with its event. Otherwise, the subscription is
 * invisible until the outcome of its first charge, and deleted if the acquirer does not answer.
 */
import { dayOf } from '../../../../workflows/calendar';
import { rejectSuspended } from '../../../accounts/merchants/suspension';
import type { ChargeDetails } from '../../../gateway/acquirer/port';
import { rethrowUnavailable } from '../../../gateway/acquirer/unavailable';
import type { CardAttempt } from '../../../gateway/gate';
import { originOf } from '../../../payments/cardDetails/origin';
import { cardById } from '../../../payments/cards/rows';
import { beginCharge } from '../../../payments/charges/card/attempt';
import { endedWithoutAnswer, throwIfFailed } from '../../../payments/charges/card/charge';
import { factsOf } from '../../../payments/charges/facts';
import { findTransaction } from '../../../payments/charges/rows';
import { releaseToken } from '../../../payments/tokens/rows';
import { ApiError } from '../../../platform/errors';
import { newId as random } from '../../../platform/identifiers';
import type { Context } from '../../../schema/operation/context';
import { rejectUnusable } from '../../coupons/redeem';
import { type SubscriptionRow, subscriptionById } from '../rows';
import { type RequestedSource, resolveSource, type SubscriptionSource } from '../source';
import { firstCharge, refuseFirstCharge, resumeFirstCharge } from './firstCharge';
import { isChargedAtOnce, type NewSubscription, newSubscriptionRow } from './newSubscription';
import { insertSubscription } from './rows';

type SubscriptionIds = Pick<NewSubscription, 'id' | 'transaction_id'> & { card_id: string };

/**
 * A repeated request continues the first charge of its earlier run, and starts again if recovery reverses that charge
 * meanwhile.
 */
export async function createSubscription(
  context: Context,
  request: Omit<NewSubscription, 'id' | 'transaction_id'>,
  requested: RequestedSource,
): Promise<SubscriptionRow> {
  const { customer, plan, coupon, clock } = request;
  for (;;) {
    const { card_id, ...ids } = await newSubscriptionIds(context);
    const subscription = { ...request, ...ids };
    // The charge of an earlier run counts, whether the coupon could be redeemed again or not.
    if (coupon && !(await hasBegun(context, ids))) rejectUnusable(coupon, plan.id, dayOf(clock.now.getTime()));
    const used_by = isChargedAtOnce(subscription) ? ids.transaction_id : ids.id;
    const source = await resolveSource(context, customer.id, requested, { used_by, card_id }, clock.now);
    const row = await insertAndCharge(context, subscription, source).catch(error =>
      (source.token ? releaseToken(context, source.token, error) : Promise.reject(error)).catch(rethrowUnavailable),
    );
    if (row) return row;
  }
}

/**
 * A repeated request gets the same IDs, unless their charge ended without an answer. Each iteration draws the same number of
 * IDs, so that they do not depend on the progress of an earlier run.
 */
async function newSubscriptionIds({ db, newId }: Context): Promise<SubscriptionIds> {
  for (;;) {
    const ids = { id: newId('subscription'), transaction_id: newId('transaction'), card_id: newId('card') };
    const earlier = newId === random ? undefined : await findTransaction(db, { id: ids.transaction_id });
    if (!earlier || !endedWithoutAnswer(earlier)) return ids;
  }
}

async function hasBegun({ db, newId }: Context, { id, transaction_id }: Omit<SubscriptionIds, 'card_id'>) {
  if (newId === random) return false;
  return Boolean((await subscriptionById(db, id)) ?? (await findTransaction(db, { id: transaction_id })));
}

/** Returns undefined if the charge of an earlier run ended without an answer meanwhile. */
async function insertAndCharge(
  context: Context,
  subscription: NewSubscription,
  source: SubscriptionSource,
): Promise<SubscriptionRow | undefined> {
  const row = newSubscriptionRow(context, subscription, source);
  if (!row.open)
    return (await insertSubscription(context, row, source, subscription.payment_link_id))
      ? row
      : resumeCreation(context, subscription, source);
  const { device_session_id: device, card_number } = source.card;
  const origin = { ...originOf(context, source.address), device, card_number };
  const attempt = await beginCharge(context, subscription.transaction_id, origin);
  try {
    return await chargeFirst(context, attempt, subscription, source, row);
  } finally {
    await attempt.end();
  }
}

async function chargeFirst(
  context: Context,
  attempt: CardAttempt,
  subscription: NewSubscription,
  source: SubscriptionSource,
  row: SubscriptionRow,
): Promise<SubscriptionRow | undefined> {
  const inserted = await insertSubscription(context, row, source, subscription.payment_link_id);
  if (!inserted) return resumeCreation(context, subscription, source);
  const { number_sealed, cvv2_sealed, ...charge } = inserted;
  const card = { ...source.card, number_sealed: source.sealed?.number_sealed ?? number_sealed, cvv2_sealed };
  if (!card.number_sealed) throw new Error(`billing: card ${card.id} has no number`);
  const sealed = { ...card, number_sealed: card.number_sealed };
  const details: ChargeDetails = {
    at: subscription.clock.now,
    initiated_by: 'customer',
    stored_credential: !source.holds_card,
    series: 'first',
    installments: 1,
  };
  const { device_session_id: device } = source.card;
  const { email } = subscription.customer;
  const payerFacts = {
    email,
    device,
    card_id: card.id,
    fingerprint: source.sealed?.fingerprint,
    address: source.address,
  };
  const facts = { ...factsOf(charge, payerFacts), metadata: undefined };
  return firstCharge.run(context, charge, { row, card: sealed, details }, async send => {
    let isSent = false;
    const answer = await attempt.send(facts, () => {
      isSent = true;
      return send();
    });
    return answer && !isSent ? refuseFirstCharge(context, charge, answer) : answer;
  });
}

/** Continues the creation for a repeated request. */
async function resumeCreation(
  context: Context,
  subscription: NewSubscription,
  source: SubscriptionSource,
): Promise<SubscriptionRow | undefined> {
  const { db } = context;
  const { id, transaction_id } = subscription;
  const existing = await subscriptionById(db, id);
  if (existing && existing.status !== 'new') return existing;
  const charge = await findTransaction(db, { id: transaction_id });
  if (charge && endedWithoutAnswer(charge)) return undefined;
  if (existing && charge) return resumeFirstCharge(context, charge);
  // A fraud rule refused the charge.
  if (charge) throwIfFailed(charge);
  return throwWhyNotCreated(context, subscription, source);
}

/** Throws the reason only if it still holds. Otherwise the request can be repeated. */
async function throwWhyNotCreated(
  { db, merchant_id }: Context,
  { customer, plan }: NewSubscription,
  { card, holds_card }: SubscriptionSource,
): Promise<never> {
  const [currentCustomer, currentPlan, currentCard] = await Promise.all([
    db.customer.findUnique({ where: { id: customer.id } }),
    db.plan.findUnique({ where: { id: plan.id } }),
    holds_card ? undefined : cardById(db, card.id),
  ]);
  await rejectSuspended(db, merchant_id);
  if (currentCustomer?.status !== 'active') throw new ApiError('not_found');
  if (currentPlan?.status !== 'active') throw new ApiError('not_found');
  if (!holds_card && currentCard?.status !== 'active')
    throw new ApiError('invalid_value', 'not_usable', { field: 'source_id' });
  throw new ApiError('unavailable', 'changed_meanwhile');
}
