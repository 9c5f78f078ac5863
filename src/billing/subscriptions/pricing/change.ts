/**
 * Changes of plan, quantity and coupon. A change `now` replaces the current period: the charge of the new one is written
 * first and sent under its ID, and only its approval changes the subscription. A charge that is declined, or not answered
 * in time, changes nothing.
 */
import { dayOf } from '../../../../workflows/calendar';
import { auditEntry } from '../../../accounts/auditLog/entry';
import { rejectSuspended } from '../../../accounts/merchants/suspension';
import { acquirerError, rethrowUnavailable } from '../../../gateway/acquirer/unavailable';
import { originOf } from '../../../payments/cardDetails/origin';
import { beginCharge } from '../../../payments/charges/card/attempt';
import { endedWithoutAnswer, throwIfFailed } from '../../../payments/charges/card/charge';
import { factsOf } from '../../../payments/charges/facts';
import { findTransaction, reloadTransaction, type TransactionRow } from '../../../payments/charges/rows';
import type { Database } from '../../../platform/database/connection';
import { ApiError } from '../../../platform/errors';
import { newId as random } from '../../../platform/identifiers';
import type { Money } from '../../../platform/money';
import type { Context } from '../../../schema/operation/context';
import { redeemable, redeeming } from '../../coupons/redeem';
import { findActivePlan, findPlan } from '../../plans/resolver';
import { termsOf } from '../../plans/rows';
import { applyEvent, type RowChange } from '../billing/applyEvent';
import { resolveAttempt } from '../billing/attempt';
import { prepareAttempt, sealedCharge } from '../billing/periodCharge';
import { replacementCharge } from '../billing/replacement';
import { writeChange } from '../billing/rows';
import { nextActionOf } from '../billing/snapshot';
import { clockNow, realNow, reloadSubscription, type SubscriptionRow, stateOf } from '../rows';
import { chargedNow, type RequestedReplacement, refusedReplacement, replacementOf } from '../rules/changes';
import type { Replacement } from '../rules/prices';
import type { SubscriptionChange } from '../rules/state';
import { changeOnce, isRepeated } from '../update';
import { auditedTerms } from '../writeUpdate';
import type { ChangeSubscription } from './fields';

export async function changeSubscription(
  context: Context,
  found: SubscriptionRow,
  input: ChangeSubscription,
): Promise<SubscriptionRow> {
  const request = context.newId('event');
  if (input.when === 'now') return changeNow(context, found, input, request).catch(rethrowUnavailable);
  return changeOnce(context, found, row => plannedChange(context, row, input), request);
}

/** A change at the end of the period. Its coupon reduces the next period, too. */
export async function plannedChange(
  context: Context,
  found: SubscriptionRow,
  input: ChangeSubscription,
): Promise<SubscriptionChange> {
  const { terms, quantity, coupon } = await requestedTerms(context, found, input);
  const isSame = terms.plan_id === found.plan_id && quantity === found.quantity;
  if (isSame && !coupon) throw new ApiError('invalid_value', 'nothing_changes');
  return { ...(!isSame && { planned: { terms, quantity } }), ...(coupon && { coupon }) };
}

async function requestedTerms(context: Context, found: SubscriptionRow, input: ChangeSubscription) {
  const { plan_id = found.plan_id, quantity = found.quantity } = input;
  const plan = await (plan_id === found.plan_id ? findPlan(context, plan_id) : findActivePlan(context, plan_id));
  const today = dayOf(clockNow(found));
  const coupon = input.coupon === undefined ? undefined : await redeemable(context, input.coupon, plan_id, today);
  const has_trial = plan.trial_days > 0 || plan_id === found.plan_id;
  const keeps_planned = input.plan_id === undefined && input.quantity === undefined;
  return { terms: termsOf(plan), quantity, coupon, has_trial, keeps_planned };
}

/** Throws if the state of the subscription does not allow the change. */
export async function requestedReplacement(
  context: Context,
  row: SubscriptionRow,
  input: ChangeSubscription,
): Promise<RequestedReplacement> {
  const terms = await requestedTerms(context, row, input);
  const isSame = terms.terms.plan_id === row.plan_id && terms.quantity === row.quantity;
  if (isSame && !terms.coupon) throw new ApiError('invalid_value', 'nothing_changes');
  const returned = await returnedOf(context.db, row);
  const requested = { ...terms, at: clockNow(row), credits: input.credit, returned };
  const reason = refusedReplacement(stateOf(row), requested);
  if (reason === 'amount_too_large') throw new ApiError('invalid_value', reason);
  if (reason) throw new ApiError('not_allowed', reason);
  return requested;
}

/** The part of the current period that was refunded or charged back. */
async function returnedOf(db: Database, { id, current_period_number }: SubscriptionRow): Promise<Money> {
  const charge = await db.transaction.findFirst({
    where: {
      subscription_id: id,
      period: current_period_number,
      status: { notIn: ['failed', 'cancelled'] },
      transaction_type: 'charge',
    },
    select: { status: true, amount: true, refunds: { where: { status: { not: 'failed' } }, select: { amount: true } } },
  });
  if (!charge) return 0n;
  if (charge.status === 'chargeback_pending' || charge.status === 'chargeback_accepted') return charge.amount;
  return charge.refunds.reduce((sum, { amount }) => sum + amount, 0n);
}

async function changeNow(
  context: Context,
  found: SubscriptionRow,
  input: ChangeSubscription,
  request: string,
): Promise<SubscriptionRow> {
  const { db, newId } = context;
  if (await isRepeated(context, found, request)) return found;
  let transaction_id = newId('transaction');
  for (let row = found; ; row = await reloadSubscription(db, found.id)) {
    const earlier = newId === random ? undefined : await findTransaction(db, { id: transaction_id });
    if (earlier) {
      const finished = await resumeReplacement(context, row, earlier);
      if (!endedWithoutAnswer(finished)) return outcomeOf(context, row, finished);
      transaction_id = newId('transaction');
      continue;
    }
    const requested = await requestedReplacement(context, row, input);
    const replacement = replacementOf(stateOf(row), requested);
    const changed =
      chargedNow(stateOf(row), replacement) === 0n
        ? await replaceWithoutCharge(context, row, replacement, request)
        : await replaceAndCharge(context, row, replacement, transaction_id);
    if (changed) return changed;
  }
}

const audited = (
  context: Context,
  action: 'subscription.changed' | 'subscription.change_requested',
  row: SubscriptionRow,
  replacement: Replacement,
) =>
  auditEntry(context, action, {
    object_id: row.id,
    before: { plan_id: row.plan_id, quantity: row.quantity },
    after: { ...auditedTerms(replacement), coupon_id: replacement.discount?.coupon_id ?? null },
  });

/** Undefined if the row changed meanwhile. */
async function replaceWithoutCharge(
  context: Context,
  row: SubscriptionRow,
  replacement: Replacement,
  request: string,
): Promise<SubscriptionRow | undefined> {
  await rejectSuspended(context.db, context.merchant_id);
  const audit = audited(context, 'subscription.changed', row, replacement);
  const change = applyEvent(row, { type: 'replaced', ...replacement }, { outbox: ['nudge'], audit, request });
  const isWritten = await redeeming(() => writeChange(context.db, change));
  return isWritten ? { ...change.after, version: row.version + 1 } : undefined;
}

/** Undefined if the row changed before the charge was written. */
async function replaceAndCharge(
  context: Context,
  row: SubscriptionRow,
  replacement: Replacement,
  transaction_id: string,
): Promise<SubscriptionRow | undefined> {
  const at = replacement.at;
  const attempt = { period: row.current_period_number + 1, attempt: 1, free: true };
  const event = { type: 'prepared', realTime: realNow(row), attempt, transaction_id, replacement } as const;
  const audit = audited(context, 'subscription.change_requested', row, replacement);
  const change: RowChange = applyEvent(row, event, { outbox: ['nudge'], audit });
  const { device_session_id: device, card_number } = row.card;
  const gate = await beginCharge(context, transaction_id, { ...originOf(context), device, card_number });
  try {
    const prepared = await redeeming(() => prepareAttempt(context.db, change, at));
    if (!prepared) {
      await rejectSuspended(context.db, context.merchant_id);
      const { version } = await reloadSubscription(context.db, row.id);
      if (version === row.version) throw new ApiError('unavailable', 'changed_meanwhile');
      return undefined;
    }
    const { transaction, card } = prepared;
    const facts = { ...factsOf(transaction, { card_id: card.id, device }), metadata: undefined };
    const attempted = { subscription: { ...change.after, version: row.version + 1 }, at };
    const input = { ...attempted, ...sealedCharge(card, at, row.transaction_id === null ? 'first' : 'later') };
    await replacementCharge.run(context, transaction, input, send => gate.send(facts, send));
    return await outcomeOf(context, row, await reloadTransaction(context.db, transaction_id));
  } finally {
    await gate.end();
  }
}

/** Finishes the charge of an earlier run of this request. */
async function resumeReplacement(
  context: Context,
  row: SubscriptionRow,
  charge: TransactionRow,
): Promise<TransactionRow> {
  const next = nextActionOf(row);
  if (next.do === 'resolve' && row.open?.transaction_id === charge.id)
    await resolveAttempt(context, row, next, clockNow(row));
  return reloadTransaction(context.db, charge.id);
}

async function outcomeOf(context: Context, { id }: SubscriptionRow, charge: TransactionRow): Promise<SubscriptionRow> {
  throwIfFailed(charge);
  if (charge.status === 'in_progress') throw acquirerError();
  return reloadSubscription(context.db, id);
}
