import { addDays, dayOf } from '../../../workflows/calendar';
import { type AuditOrigin, auditEntry } from '../../accounts/auditLog/entry';
import { storedIva } from '../../payments/charges/tax';
import { releaseToken } from '../../payments/tokens/rows';
import type { Database } from '../../platform/database/connection';
import { omitUndefined } from '../../platform/database/omitUndefined';
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import { redeeming } from '../coupons/redeem';
import { applyEvent } from './billing/applyEvent';
import { type BeforeChange, chargeAtOnce } from './billing/requestedAttempt';
import { writeChange } from './billing/rows';
import type { UpdateSubscription } from './fields';
import type { PauseSubscription } from './pauseFields';
import { clockNow, type SubscriptionRow, subscriptionById } from './rows';
import type { EndReason, Pause, SubscriptionChange } from './rules/state';
import { requestedSource, verifyNewSource } from './source';
import { type Notes, type RequestedChange, rejectChange, writeUpdate } from './writeUpdate';

const MAX_TRIAL_DAYS = 730;

export function rejectLongTrial(trial_end_date: string | undefined, now: number): void {
  if (trial_end_date !== undefined && trial_end_date > addDays(dayOf(now), MAX_TRIAL_DAYS))
    throw new ApiError('invalid_value', 'too_many_days_ahead', { field: 'trial_end_date', max: MAX_TRIAL_DAYS });
}

export async function updateSubscription(
  context: Context,
  found: SubscriptionRow,
  { cancel_at_period_end, trial_end_date, plan_id, quantity, metadata, iva, ...input }: UpdateSubscription,
): Promise<SubscriptionRow> {
  if (plan_id !== undefined && plan_id !== found.plan_id)
    throw new ApiError('invalid_value', 'use_change', { field: 'plan_id' });
  if (quantity !== undefined && quantity !== found.quantity)
    throw new ApiError('invalid_value', 'use_change', { field: 'quantity' });
  const requested = requestedSource(input);
  rejectLongTrial(trial_end_date, clockNow(found));
  const notes: Notes = omitUndefined({ metadata, iva: storedIva(iva) });
  const change: SubscriptionChange = {
    ...(cancel_at_period_end === undefined ? {} : { cancel_at_period_end }),
    // Clients can send back the whole object.
    ...(trial_end_date === undefined || trial_end_date === found.trial_end_date ? {} : { trial_end_date }),
  };
  // A suspended merchant can end subscriptions, but not charge or verify cards.
  if (context.rights.isSuspended && (requested || change.trial_end_date !== undefined)) throw new ApiError('suspended');
  const isSameCard = requested !== undefined && 'id' in requested && requested.id === found.card_id;
  // Before the verification, so that a refused card is not sent to the acquirer.
  rejectChange(found, isSameCard ? { ...change, card_id: found.card_id, is_same_number: true } : change);
  const source = requested && (await verifyNewSource(context, found, requested));
  if (!source && change.trial_end_date === undefined) return writeUpdate(context, found, change, { notes });
  const write = (beforeChange: BeforeChange) => writeUpdate(context, found, change, { notes, source, beforeChange });
  return chargeAtOnce(context, source, write).catch(error => {
    if (source?.token) return releaseToken(context, source.token, error);
    throw error;
  });
}

/**
 * Retries an unpaid period without using up a retry, or resumes a paused subscription. A repeated request returns the
 * outcome of the first one.
 */
export async function chargeOnRequest(
  context: Context,
  found: SubscriptionRow,
  name: 'retry' | 'resume',
): Promise<SubscriptionRow> {
  const request = context.newId('event');
  const isRepeat = await isRepeated(context, found, request);
  return chargeAtOnce(context, undefined, async beforeChange =>
    isRepeat ? found : writeUpdate(context, found, { [name]: request }, { beforeChange }),
  );
}

/** Whether an earlier run of this request has made its change. */
export const isRepeated = async (
  { db }: Pick<Context, 'db'>,
  { id }: SubscriptionRow,
  request: string,
): Promise<boolean> => (await db.subscriptionLine.findFirst({ where: { subscription_id: id, request } })) !== null;

/** Writes a change that charges nothing, once. */
export const changeOnce = async (
  context: Context,
  found: SubscriptionRow,
  change: RequestedChange,
  request = context.newId('event'),
): Promise<SubscriptionRow> =>
  (await isRepeated(context, found, request))
    ? found
    : redeeming(() => writeUpdate(context, found, change, { request }));

const MAX_PAUSE_DAYS = 730;

export function pauseOf(row: SubscriptionRow, { resume_date = null }: PauseSubscription): Pause {
  if (resume_date !== null && resume_date > addDays(dayOf(clockNow(row)), MAX_PAUSE_DAYS))
    throw new ApiError('invalid_value', 'too_many_days_ahead', { field: 'resume_date', max: MAX_PAUSE_DAYS });
  return { resume_date };
}

export const pauseSubscription = async (
  context: Context,
  found: SubscriptionRow,
  pause: PauseSubscription,
): Promise<SubscriptionRow> => writeUpdate(context, found, { pause: pauseOf(found, pause) });

/** An operator's retry. `retry` is the request ID, stored in the history line. */
export const requestRetry = (
  origin: Pick<Context, 'db'> & AuditOrigin,
  row: SubscriptionRow,
  retry: string,
  reason = '',
): Promise<SubscriptionRow> => writeUpdate({ ...origin, reason }, row, { retry, is_by_operator: true });

/** False if there is no such subscription, or if it has ended already. */
export async function cancelSubscription(
  db: Database,
  id: string,
  reason: EndReason,
  by?: AuditOrigin,
  operatorReason?: string,
): Promise<boolean> {
  for (;;) {
    const row = await subscriptionById(db, id);
    if (!row || row.status === 'new' || row.status === 'cancelled') return false;
    const change = {
      object_id: id,
      before: { status: row.status },
      after: { status: 'cancelled', ...(operatorReason && { reason: operatorReason }) },
    };
    const audit = by && auditEntry(by, 'subscription.cancelled', change, row.merchant_id);
    if (await writeChange(db, applyEvent(row, { type: 'cancel', reason }, { outbox: ['nudge'], audit }))) return true;
  }
}
