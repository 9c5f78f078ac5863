/** The lines that a billing event adds to the history of a subscription. */
import { dayOf, type Moment } from '../../../../workflows/calendar';
import type { HistoryEvent, HistoryLine } from '../lines/events';
import { type SubscriptionRow, stateOf } from '../rows';
import { isPauseInEffect } from '../rules/periods';
import type { Extra } from '../rules/prices';
import type { BillingEvent, SubscriptionChange } from '../rules/state';
import { detailsOf } from '../words/wording';

export const isPauseChanged = (before: SubscriptionRow, after: SubscriptionRow): boolean =>
  before.is_paused !== after.is_paused || before.resume_date !== after.resume_date;

function couponLine(before: SubscriptionRow, after: SubscriptionRow, date: Date): HistoryLine[] {
  const [earlier, coupon] = [before.discount, after.discount];
  if (coupon?.coupon_id === earlier?.coupon_id) return [];
  return coupon
    ? [{ event: 'coupon_added', date, details: { code: coupon.code } }]
    : [{ event: 'coupon_removed', date }];
}

function priceLines(
  before: SubscriptionRow,
  after: SubscriptionRow,
  { planned, extra, removed_extra, clears_credit }: SubscriptionChange,
  date: Date,
): HistoryLine[] {
  const removed = before.extras.find(({ id }) => id === removed_extra);
  const ofExtra = ({ description, amount }: Extra) => ({ description, amount: Number(amount) });
  return [
    ...(planned ? [{ event: 'change_planned', date, details: detailsOf(planned) } as const] : []),
    ...(planned === null ? [{ event: 'planned_change_removed', date } as const] : []),
    ...couponLine(before, after, date),
    ...(extra ? [{ event: 'extra_added', date, details: ofExtra(extra) } as const] : []),
    ...(removed ? [{ event: 'extra_removed', date, details: ofExtra(removed) } as const] : []),
    ...(clears_credit
      ? [{ event: 'credit_returned', date, details: { amount: Number(before.credit_balance) } } as const]
      : []),
  ];
}

function endingLine(
  before: SubscriptionRow,
  after: SubscriptionRow,
  { cancel_reason: reason }: SubscriptionChange,
  date: Date,
): HistoryLine[] {
  if (after.cancel_at_period_end === before.cancel_at_period_end) return [];
  if (!after.cancel_at_period_end) return [{ event: 'cancel_unscheduled', date }];
  return [{ event: 'cancel_scheduled', date, ...(reason && { details: { reason } }) }];
}

const retryLine = ({ is_by_operator }: SubscriptionChange): HistoryEvent =>
  is_by_operator ? 'retry_requested_by_operator' : 'retry_requested';

const methodOf = ({ open }: SubscriptionRow) => open?.payment && { details: { method: open.payment.method } };

function paymentLine(event: HistoryEvent, row: SubscriptionRow, date: Date): HistoryLine {
  const { period = null, transaction_id = null, payment } = row.open ?? {};
  const day = payment ? dayOf(payment.until) : null;
  return { event, date, period, transaction_id, day, ...methodOf(row) };
}

export function historyLines(
  before: SubscriptionRow,
  after: SubscriptionRow,
  event: BillingEvent,
  at: Moment,
  error_code: number | null = null,
): HistoryLine[] {
  const date = new Date(at);
  const { period = null, transaction_id = null } = before.open ?? {};
  const ended: HistoryLine[] = after.status === before.status || !after.reason ? [] : [{ event: after.reason, date }];
  const unpaid: HistoryLine[] =
    after.status === 'unpaid' && before.status !== 'unpaid' ? [{ event: 'unpaid', date }] : [];
  const changed: HistoryLine[] =
    after.plan_id !== before.plan_id || after.quantity !== before.quantity
      ? [{ event: 'plan_changed', date, details: { plan: after.plan_name, quantity: after.quantity } }]
      : [];
  const withdrawn: HistoryLine[] =
    before.pending_change && !after.pending_change ? [{ event: 'planned_change_removed', date }] : [];
  const resumed: HistoryLine[] = before.is_paused && !after.is_paused ? [{ event: 'resumed', date }] : [];
  const overtaken: HistoryLine[] =
    after.status === 'active' ? resumed.map(() => ({ event: 'pause_withdrawn', date })) : [];
  switch (event.type) {
    case 'prepared':
      return event.payment ? [paymentLine('payment_requested', after, date)] : [...resumed, ...changed];
    case 'paid_late': {
      const { transaction_id, method } = event;
      return [{ event: 'charged', date, period: before.current_period_number, transaction_id, details: { method } }];
    }
    case 'credited': {
      const { transaction_id, amount } = event;
      return [{ event: 'payment_credited', date, transaction_id, details: { amount: Number(amount) } }];
    }
    case 'covered':
      return [...resumed, ...changed, { event: 'covered', date, period: after.current_period_number }];
    case 'replaced': {
      const covered: HistoryLine[] =
        after.current_period_number > before.current_period_number
          ? [{ event: 'covered', date, period: after.current_period_number }]
          : [];
      return [...withdrawn, ...changed, ...couponLine(before, after, date), ...overtaken, ...covered];
    }
    case 'unanswered':
      return before.open?.tries === 0 ? [{ event: 'unanswered', date, period, transaction_id }] : [];
    case 'answered': {
      if (before.open?.replacement && event.outcome !== 'paid') {
        const failed = event.outcome === 'declined' ? 'change_declined' : 'change_not_made';
        return [{ event: failed, date, transaction_id, error_code }];
      }
      if (before.open?.payment && event.outcome !== 'paid')
        return [paymentLine('payment_ended', before, date), ...ended];
      const line = ({ paid: 'charged', declined: 'declined', not_made: 'not_made' } as const)[event.outcome];
      return [
        ...withdrawn,
        ...changed,
        ...couponLine(before, after, date),
        ...overtaken,
        { event: line, date, period, transaction_id, error_code, ...methodOf(before) },
        ...unpaid,
        ...ended,
      ];
    }
    case 'skipped':
      return [{ event: 'retry_skipped', date, period: before.current_period_number }, ...unpaid, ...ended];
    case 'cancel':
      return ended;
    case 'change':
      return [
        ...priceLines(before, after, event, date),
        ...(event.card_id === undefined ? [] : [{ event: 'card_changed', date } as const]),
        ...(event.retry ? [{ event: retryLine(event), date, request: event.retry }] : []),
        ...(event.trial_end_date === undefined
          ? []
          : [{ event: 'trial_changed', date, day: event.trial_end_date } as const]),
        ...endingLine(before, after, event, date),
        ...(event.pause && isPauseChanged(before, after)
          ? [{ event: 'pause_requested', date, day: event.pause.resume_date } as const]
          : []),
        ...(event.resume === undefined
          ? []
          : [
              {
                event: isPauseInEffect(stateOf(before), at) ? 'resumed' : 'pause_withdrawn',
                date,
                request: event.resume,
              } as const,
            ]),
      ];
  }
}
