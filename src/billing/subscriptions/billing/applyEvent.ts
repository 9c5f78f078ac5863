/** Applies a billing event to a row and derives history lines, events and outbox rows. */
import type { Moment } from '../../../../workflows/calendar';
import type { NewAuditEntry } from '../../../accounts/auditLog/entry';
import { type NewEvent, newEvent } from '../../../events/newEvent';
import type { EventType } from '../../../events/types';
import type { AcquirerAnswer } from '../../../gateway/acquirer/port';
import type { OutboxKind } from '../../../platform/database/outbox';
import { errorCodeOf } from '../../../platform/errors';
import { rendererOf } from '../../../schema/render';
import { Subscription } from '../fields';
import type { HistoryEvent, HistoryLine } from '../lines/events';
import { clockNow, type SubscriptionRow, stateOf } from '../rows';
import { transition } from '../rules/billing';
import { isPauseInEffect } from '../rules/periods';
import type { BillingEvent, BillingStatus, Decline, SubscriptionChange } from '../rules/state';
import { toSubscription } from '../view';

export interface RowChange {
  before: SubscriptionRow;
  after: SubscriptionRow;
  lines: HistoryLine[];
  events: NewEvent[];
  /** Follow-up work, for example starting or nudging the workflow. */
  outbox: OutboxKind[];
  /** Set for changes by a merchant, a customer or an operator. */
  audit?: NewAuditEntry | undefined;
}

/** Additional data that the billing rules do not provide. */
export interface Extras {
  /** Further columns of the row. */
  row?: Partial<SubscriptionRow>;
  error_code?: number | null;
  outbox?: OutboxKind[];
  audit?: NewAuditEntry | undefined;
}

const statusEvents: Partial<Record<BillingStatus, EventType>> = {
  active: 'subscription.activated',
  past_due: 'subscription.past_due',
  unpaid: 'subscription.unpaid',
  cancelled: 'subscription.cancelled',
};

const render = rendererOf(Subscription);
export const subscriptionEvent = (type: EventType, row: SubscriptionRow): NewEvent =>
  newEvent(type, render, toSubscription(row));

/** The part of the answer that the billing rules depend on. */
export const declineOf = (answer: AcquirerAnswer | undefined): Decline | undefined =>
  answer && !answer.approved ? { error_code: errorCodeOf(answer.kind), advice: answer.advice } : undefined;

export function applyEvent(row: SubscriptionRow, event: BillingEvent, extras: Extras = {}): RowChange {
  const { due_at, ...state } = transition(stateOf(row), event);
  const after: SubscriptionRow = { ...row, ...state, due_at: new Date(due_at), ...extras.row };
  const at = 'at' in event ? event.at : clockNow(after);
  return {
    before: row,
    after,
    lines: historyLines(row, after, event, at, extras.error_code),
    events: [
      ...(row.status === 'new' && after.status !== 'new' ? ['subscription.created' as const] : []),
      row.status === after.status ? undefined : statusEvents[after.status],
      pauseEvent(row, after),
    ]
      .filter(type => type !== undefined)
      .map(type => subscriptionEvent(type, after)),
    outbox: [...(extras.outbox ?? []), ...payerEmails(row, after)],
    audit: extras.audit,
  };
}

const isPauseChanged = (before: SubscriptionRow, after: SubscriptionRow): boolean =>
  before.is_paused !== after.is_paused || before.resume_date !== after.resume_date;

/** A subscription that ends needs no event about its pause. */
function pauseEvent(before: SubscriptionRow, after: SubscriptionRow): EventType | undefined {
  if (!isPauseChanged(before, after) || after.status === 'unpaid' || after.status === 'cancelled') return undefined;
  return after.is_paused ? 'subscription.paused' : 'subscription.resumed';
}

export const isEndedUnpaid = ({ status, reason }: Pick<SubscriptionRow, 'status' | 'reason'>): boolean =>
  status === 'cancelled' && (reason === 'retries_exhausted' || reason === 'left_unpaid');

/** E-mails to the payer, if the merchant enabled them. Changes by the merchant or an operator send none. */
function payerEmails({ status: before, subscription_emails }: SubscriptionRow, after: SubscriptionRow): OutboxKind[] {
  if (!subscription_emails || before === after.status) return [];
  const wasUnpaid = before === 'past_due' || before === 'unpaid';
  switch (after.status) {
    case 'past_due':
      return ['past_due_mail'];
    case 'unpaid':
      return ['unpaid_mail'];
    case 'active':
      return wasUnpaid ? ['recovered_mail'] : [];
    case 'cancelled':
      return isEndedUnpaid(after) ? ['ended_mail'] : [];
    default:
      return [];
  }
}

const retryLine = ({ is_by_operator }: SubscriptionChange): HistoryEvent =>
  is_by_operator ? 'retry_requested_by_operator' : 'retry_requested';

function historyLines(
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
  switch (event.type) {
    case 'prepared':
      return before.is_paused && !after.is_paused ? [{ event: 'resumed', date }] : [];
    case 'unanswered':
      return before.open?.tries === 0 ? [{ event: 'unanswered', date, period, transaction_id }] : [];
    case 'answered': {
      const line = ({ paid: 'charged', declined: 'declined', not_made: 'not_made' } as const)[event.outcome];
      return [{ event: line, date, period, transaction_id, error_code }, ...unpaid, ...ended];
    }
    case 'skipped':
      return [{ event: 'retry_skipped', date, period: before.current_period_number }, ...unpaid, ...ended];
    case 'cancel':
      return ended;
    case 'change':
      return [
        ...(event.card_id === undefined ? [] : [{ event: 'card_changed', date } as const]),
        ...(event.retry ? [{ event: retryLine(event), date, request: event.retry }] : []),
        ...(event.trial_end_date === undefined
          ? []
          : [{ event: 'trial_changed', date, day: event.trial_end_date } as const]),
        ...(after.cancel_at_period_end === before.cancel_at_period_end
          ? []
          : [{ event: after.cancel_at_period_end ? 'cancel_scheduled' : 'cancel_unscheduled', date } as const]),
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
