/**
 * Changes and cancels subscriptions. The row is changed at once, whether Temporal is up or not; the workflow is nudged.
 */
import { isDeepStrictEqual } from 'node:util';
import { addDays, dayOf } from '../../../workflows/calendar';
import { type AuditOrigin, auditEntry } from '../../accounts/auditLog/entry';
import { originOf } from '../../payments/cardDetails/origin';
import { verifyCard } from '../../payments/cards/verify';
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
import { clockNow, reloadSubscription, type SubscriptionRow, stateOf, subscriptionById } from './rows';
import { refusedChange } from './rules/billing';
import type { EndReason, SubscriptionChange } from './rules/state';
import { requestedSource, resolveSource, type SubscriptionSource } from './source';

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
  rejectChange(found, change);
  const source = requested && (await verifyNewSource(context, found, requested));
  if (!source && change.trial_end_date === undefined) return writeUpdate(context, found, change, { notes });
  const write = (beforeChange: BeforeChange) => writeUpdate(context, found, change, { notes, source, beforeChange });
  return chargeAtOnce(context, source, write).catch(error => {
    if (source?.token) return releaseToken(context, source.token, error);
    throw error;
  });
}

/** Retries an unpaid period without using up a retry. A repeated request returns the outcome of the first one. */
export async function retrySubscription(context: Context, found: SubscriptionRow): Promise<SubscriptionRow> {
  const retry = context.newId('event');
  const isRepeat = await context.db.subscriptionLine.findFirst({
    where: { subscription_id: found.id, request: retry },
  });
  return chargeAtOnce(context, undefined, async beforeChange =>
    isRepeat ? found : writeUpdate(context, found, { retry }, { beforeChange }),
  );
}

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
  const fullChange = source ? { ...change, card_id: source.card.id } : change;
  for (let row = found; ; row = await reloadSubscription(context.db, row.id)) {
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
  { retry, is_by_operator, ...change }: SubscriptionChange,
  { metadata, ...notes }: Notes,
  reason?: string,
) => {
  const after = {
    ...change,
    ...notes,
    ...(metadata === undefined ? {} : { metadata: changedKeys(row.metadata ?? {}, metadata ?? {}) }),
    ...(retry ? { retry: true } : {}),
    ...(reason !== undefined && { reason }),
  };
  const { cancel_at_period_end, trial_end_date, card_id, iva } = row;
  const before = { cancel_at_period_end, trial_end_date, card_id, iva };
  return { before: Object.fromEntries(Object.entries(before).filter(([name]) => name in after)), after };
};

const changedKeys = (before: Metadata, after: Metadata): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(key => before[key] !== after[key]).sort();

function rejectChange(row: SubscriptionRow, change: SubscriptionChange): void {
  const reason = refusedChange(stateOf(row), change);
  if (reason) throw new ApiError('not_allowed', reason);
}

/** Verifies the new source, including a saved card. A decline changes nothing. */
async function verifyNewSource(
  context: Context,
  row: SubscriptionRow,
  requested: NonNullable<ReturnType<typeof requestedSource>>,
): Promise<SubscriptionSource> {
  const key = context.newId('card');
  const now = new Date(clockNow(row));
  const ids = { used_by: key, card_id: context.newId('card') };
  const source = await resolveSource(context, row.customer_id, requested, ids, now);
  if (source.holds_card) return source;
  const { customer_id, card_number } = source.card;
  const secrets = await context.db.card.findUniqueOrThrow({ where: { id: source.card.id } });
  const { number_sealed, cvv2_sealed, fingerprint } = secrets;
  if (!number_sealed) throw new ApiError('invalid_value', 'not_usable', { field: 'source_id' });
  const origin = { ...originOf(context), card_number, fingerprint, customer_id };
  await verifyCard(context, key, { ...source.card, number_sealed, cvv2_sealed }, origin, now);
  return source;
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
