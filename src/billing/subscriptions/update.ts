/**
 * Changes and cancels subscriptions. The row is changed at once, whether Temporal is up or not; the workflow is nudged.
 */
import { isDeepStrictEqual } from 'node:util';
import { addDays, dayOf } from '../../../workflows/calendar';
import { type AuditOrigin, auditEntry } from '../../accounts/auditLog/entry';
import { storedIva } from '../../payments/charges/tax';
import type { Metadata } from '../../payments/metadata/metadata';
import { releaseToken } from '../../payments/tokens/rows';
import type { Database } from '../../platform/database/connection';
import { omitUndefined } from '../../platform/database/omitUndefined';
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import { rejectChangedTerms } from '../../schema/terms';
import { applyEvent } from './billing/applyEvent';
import { type BeforeChange, chargeAtOnce } from './billing/requestedAttempt';
import { writeChange } from './billing/rows';
import { writeSourceChange } from './creation/rows';
import type { UpdateSubscription } from './fields';
import type { PauseSubscription } from './pauseFields';
import { clockNow, reloadSubscription, type SubscriptionRow, stateOf, subscriptionById } from './rows';
import { refusedChange } from './rules/billing';
import { pauseStart } from './rules/periods';
import type { EndReason, Pause, SubscriptionChange } from './rules/state';
import { changeOfCard } from './sameNumber';
import { requestedSource, type SubscriptionSource, verifyNewSource } from './source';

const MAX_TRIAL_DAYS = 730;

export function rejectLongTrial(trial_end_date: string | undefined, now: number): void {
  if (trial_end_date !== undefined && trial_end_date > addDays(dayOf(now), MAX_TRIAL_DAYS))
    throw new ApiError('invalid_value', 'too_many_days_ahead', { field: 'trial_end_date', max: MAX_TRIAL_DAYS });
}

export async function updateSubscription(
  context: Context,
  found: SubscriptionRow,
  { cancel_at_period_end, trial_end_date, plan_id, quantity = 1, metadata, iva, ...input }: UpdateSubscription,
): Promise<SubscriptionRow> {
  rejectChangedTerms({ plan_id, quantity }, { plan_id: found.plan_id, quantity: 1 });
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
  const isRepeat = await context.db.subscriptionLine.findFirst({ where: { subscription_id: found.id, request } });
  return chargeAtOnce(context, undefined, async beforeChange =>
    isRepeat ? found : writeUpdate(context, found, { [name]: request }, { beforeChange }),
  );
}

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

/** Columns that billing does not depend on, except for the tax that later charges state. */
type Notes = Partial<Pick<SubscriptionRow, 'metadata' | 'iva'>>;

interface Update {
  notes?: Notes;
  source?: SubscriptionSource | undefined;
  beforeChange?: BeforeChange;
}

/** `reason`: an operator's reason for the audit log. */
async function writeUpdate(
  context: Pick<Context, 'db'> & AuditOrigin & { reason?: string },
  found: SubscriptionRow,
  change: SubscriptionChange,
  { notes = {}, source, beforeChange }: Update = {},
): Promise<SubscriptionRow> {
  for (let row = found; ; row = await reloadSubscription(context.db, row.id)) {
    const fullChange = source ? { ...change, ...(await changeOfCard(context.db, row, source)) } : change;
    rejectChange(row, fullChange);
    const changedNotes = notesChanged(row, notes);
    const rowChange = applyEvent(
      row,
      { type: 'change', at: clockNow(row), ...fullChange },
      {
        outbox: Object.keys(fullChange).length > 0 ? ['nudge'] : [],
        row: { ...changedNotes, ...(source && { card: source.card, holds_card: source.holds_card }) },
        audit: auditEntry(context, 'subscription.changed', {
          object_id: row.id,
          ...auditedChange(row, fullChange, changedNotes, context.reason),
        }),
      },
    );
    if (rowChange.lines.length === 0 && Object.keys(changedNotes).length === 0) return row;
    await beforeChange?.(rowChange.after);
    if (source ? await writeSourceChange(context, rowChange, source) : await writeChange(context.db, rowChange))
      return { ...rowChange.after, version: row.version + 1 };
  }
}

const notesChanged = (row: SubscriptionRow, notes: Notes): Notes =>
  Object.fromEntries(
    Object.entries(notes).filter(([name, value]) => !isDeepStrictEqual(value, row[name as keyof Notes])),
  ) as Notes;

/** Metadata is represented by its changed keys: its values may be personal, and the audit log cannot be changed. */
const auditedChange = (
  row: SubscriptionRow,
  { retry, resume, is_by_operator, is_same_number: _, is_refused_number: __, ...change }: SubscriptionChange,
  { metadata, ...notes }: Notes,
  reason?: string,
) => {
  const after = {
    ...change,
    ...notes,
    ...(metadata === undefined ? {} : { metadata: changedKeys(row.metadata ?? {}, metadata ?? {}) }),
    ...(retry && { retry: true }),
    ...(resume && { resume: true }),
    ...(reason !== undefined && { reason }),
  };
  const { cancel_at_period_end, trial_end_date, card_id, iva } = row;
  const before = { cancel_at_period_end, trial_end_date, card_id, iva };
  return { before: Object.fromEntries(Object.entries(before).filter(([name]) => name in after)), after };
};

const changedKeys = (before: Metadata, after: Metadata): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(key => before[key] !== after[key]).sort();

export function rejectChange(row: SubscriptionRow, change: SubscriptionChange): void {
  const state = stateOf(row);
  const reason = refusedChange(state, change, clockNow(row));
  if (reason === 'resumed_before_period_end')
    throw new ApiError('invalid_value', reason, { field: 'resume_date', day: pauseStart(state) });
  if (reason) throw new ApiError('not_allowed', reason);
}

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
