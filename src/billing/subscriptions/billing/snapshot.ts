/** Snapshots of subscription rows for their workflows. */
import { DAY_MS } from '../../../../workflows/calendar';
import type { SubscriptionAction, SubscriptionSnapshot } from '../../../../workflows/subscriptionContract';
import { formatMoney } from '../../../platform/money';
import type { HistoryLine } from '../lines/events';
import { clockNow, realNow, type SubscriptionRow, stateOf } from '../rows';
import { nextAction } from '../rules/billing';
import { priceOf } from '../rules/invoices';
import { NEVER } from '../rules/periods';
import type { NextAction } from '../rules/state';
import { describeHold, describeHoldEnd, describeNextAction } from '../words/wording';
import { formatClockMoment, operatorView } from './operatorView';

export const nextActionOf = (row: SubscriptionRow): NextAction => nextAction(stateOf(row));

/** A subscription whose charges are stopped waits for a nudge. */
const MAX_SLEEP_MS = 365 * DAY_MS;

/**
 * Whether a suspension or a billing hold stops the action: charges, skipped retries and cancellations of unpaid
 * subscriptions. Open attempts are resolved and scheduled ends happen. A hold does not stop charges requested by the
 * merchant.
 */
export function isHeld({ suspension, hold }: SubscriptionRow, next: NextAction): boolean {
  if (next.do === 'charge') return suspension !== null || (hold !== null && !next.attempt.free);
  if (next.do === 'skip' || next.do === 'cover') return suspension !== null || hold !== null;
  return (suspension !== null || hold !== null) && next.do === 'cancel' && next.reason === 'left_unpaid';
}

export function snapshotOf(
  row: SubscriptionRow,
  next: NextAction = nextActionOf(row),
  lines: HistoryLine[] = [],
): SubscriptionSnapshot {
  const isOver = next.do === 'nothing' && !row.clock_to;
  const at = next.do === 'nothing' ? 0 : next.at;
  const due = next.do === 'resolve' ? at : row.clock_to || next.do === 'nothing' ? 0 : at - row.offset * 1000;
  const isStopped = isHeld(row, next) && !row.clock_to && due <= realNow(row);
  const isShownHeld = isStopped || (isHeld(row, next) && (row.suspension !== null || row.hold?.everything === false));
  const next_charge_at = isChargeAhead(row, next)
    ? Math.max(next.do === 'resolve' ? 0 : at, row.due_at.getTime())
    : null;
  const circumstances = { isHeld: isShownHeld, isDue: isDue(row, next), next_charge_at };
  return {
    ...operatorView(row, next, circumstances, lines),
    status: row.status,
    current_period_number: row.current_period_number,
    action: actionOf(next, row),
    next: isShownHeld ? describeHold(row, next) : describeNextAction(row, next),
    wake_at: isStopped || at >= NEVER ? realNow(row) + MAX_SLEEP_MS : Math.max(0, due),
    until: isStopped
      ? describeHoldEnd(row)
      : at >= NEVER
        ? 'the merchant resumes it'
        : formatClockMoment(next.do === 'resolve' ? at + row.offset * 1000 : Math.max(at, clockNow(row)), row),
    next_charge_at,
    over: isOver ? next.reason : null,
    plan_id: row.plan_id,
    amount: formatMoney(priceOf(stateOf(row))),
  };
}

/**
 * An unanswered attempt counts as upcoming and overdue, so that operators find charges delayed by an outage. `due_at` of an
 * unpaid subscription is its cancellation, not a charge.
 */
const isChargeAhead = ({ status }: SubscriptionRow, next: NextAction): boolean =>
  ((next.do === 'charge' || next.do === 'cover') && next.at < NEVER) ||
  (next.do === 'resolve' && status !== 'cancelled' && status !== 'unpaid');

/** Unanswered attempts are resolved in real time, regardless of test clocks. */
export function isDue(row: SubscriptionRow, next: NextAction): boolean {
  if (next.do === 'nothing' || isHeld(row, next)) return false;
  if (next.do === 'resolve') return next.at <= realNow(row);
  return next.at <= (row.clock_to?.getTime() ?? clockNow(row));
}

function actionOf(next: NextAction, row: SubscriptionRow): SubscriptionAction {
  if (next.do === 'nothing') return 'catchUp';
  if (next.do === 'resolve') return 'askAcquirer';
  // A test clock is moving and no action is due before its target.
  if ((row.clock_to && !isDue(row, next)) || isHeld(row, next)) return 'catchUp';
  if (next.do === 'withdraw') return 'askAcquirer';
  if (next.do === 'cancel') return 'cancel';
  return row.status === 'past_due' || row.status === 'unpaid' ? 'retry' : 'charge';
}

/** For a subscription whose first charge is in progress in the request that creates it. */
export const INVISIBLE_SNAPSHOT: SubscriptionSnapshot = {
  status: 'new',
  current_period_number: 0,
  action: 'catchUp',
  next: 'none, not started',
  wake_at: 0,
  until: '',
  next_charge_at: null,
  over: 'not_begun',
  billing_state: 'sleeping',
  retries_left: null,
  overdue_since: null,
  remarks: [],
};
