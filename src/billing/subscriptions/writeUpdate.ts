/** Writes a requested change of a subscription, unless its state does not allow it. */
import { isDeepStrictEqual } from 'node:util';
import { type AuditOrigin, auditEntry } from '../../accounts/auditLog/entry';
import type { Metadata } from '../../payments/metadata/metadata';
import { ApiError } from '../../platform/errors';
import { formatMoney } from '../../platform/money';
import type { Context } from '../../schema/operation/context';
import { applyEvent } from './billing/applyEvent';
import type { BeforeChange } from './billing/requestedAttempt';
import { writeChange } from './billing/rows';
import { writeSourceChange } from './creation/rows';
import { clockNow, reloadSubscription, type SubscriptionRow, stateOf } from './rows';
import { pauseStart } from './rules/periods';
import { refusedChange } from './rules/requests';
import type { PlannedChange, SubscriptionChange } from './rules/state';
import { changeOfCard } from './sameNumber';
import type { SubscriptionSource } from './source';

/** Columns that billing does not depend on, except for the tax that later charges state. */
export type Notes = Partial<Pick<SubscriptionRow, 'metadata' | 'iva'>>;

interface Update {
  notes?: Notes;
  source?: SubscriptionSource | undefined;
  beforeChange?: BeforeChange;
  request?: string;
}

/** A change that depends on the row is computed again if the row changed meanwhile. */
export type RequestedChange = SubscriptionChange | ((row: SubscriptionRow) => Promise<SubscriptionChange>);

/** `reason`: an operator's reason for the audit log. */
export async function writeUpdate(
  context: Pick<Context, 'db'> & AuditOrigin & { reason?: string },
  found: SubscriptionRow,
  requested: RequestedChange,
  { notes = {}, source, beforeChange, request }: Update = {},
): Promise<SubscriptionRow> {
  for (let row = found; ; row = await reloadSubscription(context.db, row.id)) {
    const change = typeof requested === 'function' ? await requested(row) : requested;
    const fullChange = source ? { ...change, ...(await changeOfCard(context.db, row, source)) } : change;
    rejectChange(row, fullChange);
    const changedNotes = notesChanged(row, notes);
    const billed = applyEvent(
      row,
      { type: 'change', at: clockNow(row), ...fullChange },
      {
        request,
        outbox: Object.keys(fullChange).length > 0 ? ['nudge'] : [],
        row: { ...changedNotes, ...(source && { card: source.card, holds_card: source.holds_card }) },
        audit: auditEntry(context, 'subscription.changed', {
          object_id: row.id,
          ...auditedChange(row, fullChange, changedNotes, context.reason),
        }),
      },
    );
    const ivaLine = {
      event: 'iva_changed',
      date: new Date(clockNow(row)),
      details: { iva: changedNotes.iva },
    } as const;
    const rowChange = { ...billed, lines: [...billed.lines, ...(changedNotes.iva === undefined ? [] : [ivaLine])] };
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
  {
    retry,
    resume,
    planned,
    coupon,
    extra,
    is_same_number: _,
    is_refused_number: __,
    is_by_operator,
    ...change
  }: SubscriptionChange,
  { metadata, ...notes }: Notes,
  reason?: string,
) => {
  const after = {
    ...change,
    ...notes,
    ...(metadata === undefined ? {} : { metadata: changedKeys(row.metadata ?? {}, metadata ?? {}) }),
    ...(retry && { retry: true }),
    ...(resume && { resume: true }),
    ...(planned !== undefined && { planned: planned && auditedTerms(planned) }),
    ...(coupon !== undefined && { coupon_id: coupon?.coupon_id ?? null }),
    ...(extra && { extra: { id: extra.id, amount: formatMoney(extra.amount) } }),
    ...(reason !== undefined && { reason }),
  };
  const { cancel_at_period_end, trial_end_date, card_id, iva } = row;
  const before = { cancel_at_period_end, trial_end_date, card_id, iva };
  const changed = Object.fromEntries(Object.entries(before).filter(([name]) => name in after));
  const credit = change.clears_credit ? { credit_balance: formatMoney(row.credit_balance) } : {};
  return { before: { ...changed, ...credit }, after };
};

export const auditedTerms = ({ terms: { plan_id }, quantity }: PlannedChange) => ({ plan_id, quantity });

const changedKeys = (before: Metadata, after: Metadata): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(key => before[key] !== after[key]).sort();

export function rejectChange(row: SubscriptionRow, change: SubscriptionChange): void {
  const state = stateOf(row);
  const reason = refusedChange(state, change, clockNow(row));
  if (reason === 'no_extra') throw new ApiError('not_found', reason);
  if (reason === 'amount_too_large') throw new ApiError('invalid_value', reason);
  if (reason === 'resumed_before_period_end')
    throw new ApiError('invalid_value', reason, { field: 'resume_date', day: pauseStart(state) });
  if (reason) throw new ApiError('not_allowed', reason);
}
