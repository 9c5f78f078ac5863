/** Billing state, delay and remarks of a subscription for operators. */
import { formatMoment, type Moment } from '../../../../workflows/calendar';
import type { BillingPhase, SubscriptionSnapshot } from '../../../../workflows/subscriptionContract';
import { displayMoney } from '../../../platform/money';
import type { HistoryLine } from '../lines/events';
import { clockNow, type SubscriptionRow, stateOf } from '../rows';
import { changeDay, isPauseInEffect, pauseStart } from '../rules/periods';
import type { NextAction } from '../rules/state';
import { english, planOf } from '../words/english';
import { describeCardRefusal, formatLine } from '../words/wording';

/** A single missing answer is resolved within seconds and not shown. */
const MIN_UNANSWERED = 2;
const DAY_SECONDS = 86_400;

type OperatorView = Pick<
  SubscriptionSnapshot,
  'billing_state' | 'retries_left' | 'overdue_since' | 'remarks' | 'declined'
>;

interface Circumstances {
  isHeld: boolean;
  isDue: boolean;
  next_charge_at: Moment | null;
}

/** `lines`: the latest lines of its history, oldest first. */
export function operatorView(
  row: SubscriptionRow,
  next: NextAction,
  { isHeld, isDue, next_charge_at }: Circumstances,
  lines: HistoryLine[],
): OperatorView {
  const billing_state = billingPhaseOf(row, next, isHeld, isDue);
  const isLate =
    billing_state === 'waiting_for_acquirer' || (isHeld && next.do !== 'nothing' && next.at <= clockNow(row));
  const isUnpaid = row.status === 'past_due' || row.status === 'unpaid';
  const declined = lines.findLast(({ event, period }) => event === 'declined' && period === row.current_period_number);
  return {
    billing_state,
    retries_left: row.status === 'past_due' ? row.retries_left : null,
    overdue_since: isLate ? next_charge_at : null,
    remarks: [...describeCardRefusal(row), ...remarksOf(row)],
    ...(isUnpaid && declined && { declined: formatLine(declined) }),
  };
}

function remarksOf(row: SubscriptionRow): string[] {
  const { status, is_paused, pending_change: planned, credit_balance } = row;
  const credit = credit_balance > 0n ? [english.hasCredit(displayMoney(credit_balance))] : [];
  if (status === 'cancelled') return credit;
  const state = stateOf(row);
  // Temporal stores no names: an ID tells the plan.
  const changed = planned && planOf({ plan: planned.terms.plan_id, quantity: planned.quantity });
  return [
    ...(is_paused ? [english.paused(pauseStart(state), row.resume_date)] : []),
    ...(changed ? [english.changes(changed, changeDay(state))] : []),
    ...credit,
    ...(row.cancel_at_period_end ? [english.endsWithPeriod] : []),
  ];
}

function billingPhaseOf(row: SubscriptionRow, next: NextAction, isHeld: boolean, isDue: boolean): BillingPhase {
  if (isHeld) return 'held';
  if (next.do === 'resolve' && (row.open?.tries ?? 0) >= MIN_UNANSWERED) return 'waiting_for_acquirer';
  if (next.do === 'withdraw') return 'waiting_for_payment';
  if (isDue && next.do !== 'resolve') return 'catching_up';
  if (row.status === 'past_due') return 'retrying';
  return isPauseInEffect(stateOf(row), clockNow(row)) ? 'paused' : 'sleeping';
}

/** For example `2027-02-28 00:14:03 in Bogotá`, with the offset of a test clock. */
export function formatClockMoment(at: Moment, { offset }: Pick<SubscriptionRow, 'offset'>): string {
  const days = Math.round(offset / DAY_SECONDS);
  const clock = offset > 0 ? `, by a test clock ${days === 1 ? '1 day' : `${days} days`} ahead` : '';
  return `${formatMoment(at).slice(0, 19).replace('T', ' ')} in Bogotá${clock}`;
}
