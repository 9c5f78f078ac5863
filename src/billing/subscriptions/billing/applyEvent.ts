/** Applies a billing event to a row and derives history lines, events and outbox rows. */
import type { NewAuditEntry } from '../../../accounts/auditLog/entry';
import type { PayerEmailName } from '../../../accounts/merchants/fields';
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
import type { BillingEvent, BillingStatus, Decline } from '../rules/state';
import { toSubscription } from '../view';
import { historyLines, isPauseChanged } from './historyLines';

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
  /** ID of the request, by which its repetition finds the change. */
  request?: string | undefined;
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
  const { due_at, terms, ...state } = transition(stateOf(row), event);
  const after: SubscriptionRow = { ...row, ...state, ...terms, due_at: new Date(due_at), ...extras.row };
  const at = 'at' in event ? event.at : clockNow(after);
  const lines = historyLines(row, after, event, at, extras.error_code);
  return {
    before: row,
    after,
    lines: withRequest(lines, extras.request),
    events: [
      ...(row.status === 'new' && after.status !== 'new' ? ['subscription.created' as const] : []),
      row.status === after.status ? undefined : statusEvents[after.status],
      pauseEvent(row, after),
      isCovered(row, after, event) ? ('subscription.period.covered' as const) : undefined,
      event.type === 'credited' ? ('subscription.payment.credited' as const) : undefined,
      isPriceChanged(row, after, event) ? ('subscription.changed' as const) : undefined,
    ]
      .filter(type => type !== undefined)
      .map(type => subscriptionEvent(type, after)),
    outbox: [...(extras.outbox ?? []), ...payerEmails(row, after, lines)],
    audit: extras.audit,
  };
}

const withRequest = ([first, ...rest]: HistoryLine[], request: string | undefined): HistoryLine[] =>
  first ? [request === undefined ? first : { ...first, request }, ...rest] : [];

const isCovered = (before: SubscriptionRow, after: SubscriptionRow, { type }: BillingEvent): boolean =>
  (type === 'covered' || type === 'replaced') && after.current_period_number > before.current_period_number;

/** Amounts that a charge used up are in the event of the charge. */
const isPriceChanged = (before: SubscriptionRow, after: SubscriptionRow, event: BillingEvent): boolean =>
  after.status !== 'new' &&
  before.status !== 'new' &&
  (after.plan_id !== before.plan_id ||
    after.quantity !== before.quantity ||
    after.discount?.coupon_id !== before.discount?.coupon_id ||
    (event.type === 'change' &&
      (after.pending_change !== before.pending_change ||
        after.discount !== before.discount ||
        after.credit_balance !== before.credit_balance ||
        after.extras.length !== before.extras.length)));

/** A subscription that ends needs no event about its pause. */
function pauseEvent(before: SubscriptionRow, after: SubscriptionRow): EventType | undefined {
  if (!isPauseChanged(before, after) || after.status === 'unpaid' || after.status === 'cancelled') return undefined;
  return after.is_paused ? 'subscription.paused' : 'subscription.resumed';
}

export const isEndedUnpaid = ({ status, reason }: Pick<SubscriptionRow, 'status' | 'reason'>): boolean =>
  status === 'cancelled' && (reason === 'retries_exhausted' || reason === 'left_unpaid');

/** E-mails about entries of the history. */
const EMAILS_BY_LINE: Partial<Record<HistoryEvent, PayerEmailName>> = {
  pause_requested: 'paused',
  pause_withdrawn: 'resumed',
  resumed: 'resumed',
  change_planned: 'plan_changed',
  plan_changed: 'plan_changed',
  cancel_scheduled: 'cancelled',
  cancelled_by_merchant: 'cancelled',
  cancelled_by_operator: 'cancelled',
};

/** E-mails to the payer, if the merchant has enabled them. A planned change was announced when it was planned. */
function payerEmails(before: SubscriptionRow, after: SubscriptionRow, lines: readonly HistoryLine[]): OutboxKind[] {
  const { payer_emails } = before;
  if (payer_emails.length === 0 || before.status === 'new') return [];
  const announced = lines.filter(({ event }) => event !== 'plan_changed' || !before.pending_change);
  const kinds = [statusEmail(before.status, after), ...announced.map(({ event }) => EMAILS_BY_LINE[event])];
  return [...new Set(kinds)].flatMap(kind =>
    kind && payer_emails.includes(kind) ? [`${kind}_mail` as OutboxKind] : [],
  );
}

function statusEmail(before: BillingStatus, after: SubscriptionRow): PayerEmailName | undefined {
  if (before === after.status) return undefined;
  switch (after.status) {
    case 'past_due':
      return 'past_due';
    case 'unpaid':
      return 'unpaid';
    case 'active':
      return before === 'past_due' || before === 'unpaid' ? 'recovered' : undefined;
    case 'cancelled':
      return isEndedUnpaid(after) ? 'ended' : undefined;
    default:
      return undefined;
  }
}
