/**
 * What happened to a subscription and what comes next, in words for support staff and for operators in the Temporal UI.
 */
import { datesOf, nextAction } from '../../workflows/billing';
import { dayOf } from '../../workflows/calendar';
import type { BillingState, NextAction } from '../../workflows/state';
import { ApiError, errorKindOf } from '../platform/errors';
import type { HistoryEvent, HistoryLine } from './billing/applyEvent';
import type { SubscriptionRow } from './rows';

const sentences: Record<HistoryEvent, (line: HistoryLine) => string> = {
  created: () => 'The subscription was created.',
  charged: ({ period }) => `Period ${period} was charged.`,
  declined: ({ period, error_code }) =>
    `The charge of period ${period} was declined: ${new ApiError(errorKindOf(error_code ?? 0)).message} (${error_code}).`,
  unanswered: ({ period }) => `The acquirer gave no answer to the charge of period ${period}; it is asked again.`,
  not_made: ({ period }) => `The charge of period ${period} was not made.`,
  unpaid: () => 'No tries are left: the subscription is unpaid.',
  card_changed: () => 'The subscription got another card.',
  retry_requested: () => 'The merchant asked to try again at once.',
  cancel_scheduled: () => 'It was asked to end with its period.',
  cancel_unscheduled: () => 'It was asked to go on after its period.',
  trial_changed: ({ day }) => `The trial was set to end on ${day}.`,
  cancelled_by_merchant: () => 'The merchant cancelled the subscription.',
  cancelled_by_operator: () => 'An operator cancelled the subscription.',
  customer_deleted: () => 'The subscription ended, since its customer was deleted.',
  period_ended: () => 'The subscription ended with its period.',
  retries_exhausted: () => 'No tries are left: the subscription ended.',
  left_unpaid: () => 'The subscription ended, since it was not paid in time.',
};

export const describeLine = (line: HistoryLine): string => sentences[line.event](line);
export const formatLine = (line: HistoryLine): string => `${dayOf(line.date.getTime())} ${describeLine(line)}`;

/** For operators: a few words. */
export function describeNextAction(state: Pick<BillingState, 'status' | 'retries_left'>, next: NextAction): string {
  if (next.do === 'nothing') return 'nothing, it has ended';
  if (next.do === 'cancel') return next.reason === 'period_ended' ? 'end with the period' : 'end, left unpaid';
  const { period, free } = next.attempt;
  if (next.do === 'resolve') return `ask what became of the charge of period ${period}`;
  if (free) return `charge period ${period} at once`;
  return state.status === 'past_due'
    ? `retry period ${period}, ${tries(state.retries_left)} left`
    : `charge period ${period}`;
}

const MAX_REASON_LENGTH = 200;

/** For operators: what would come next if the merchant were not suspended, and why it is. */
export function describePause(row: SubscriptionRow, next: NextAction): string {
  const reason = [...(row.suspension ?? '').replace(/[\s\p{C}]+/gu, ' ')].slice(0, MAX_REASON_LENGTH).join('');
  return `${describeNextAction(row, next)} (paused, the merchant is suspended: ${reason})`;
}

export function summarise(state: BillingState): string {
  const { current_period_number: period, trial_end_date } = state;
  const ending = state.cancel_at_period_end && state.status !== 'cancelled' ? ' It ends with its period.' : '';
  if (state.status === 'trial') return `In trial until ${trial_end_date}.${ending}`;
  if (state.status === 'active')
    return `Active, period ${period} is paid until ${datesOf(state).period_end_date}.${ending}`;
  if (state.status === 'past_due')
    return `Past due: period ${period} was declined, ${tries(state.retries_left)} left before it is ${state.terms.status_after_retry}.${ending}`;
  if (state.status === 'unpaid') return `Unpaid: period ${period} was not paid and no tries are left.${ending}`;
  return `Cancelled: ${sentences[state.reason ?? 'cancelled_by_merchant']({ event: 'created', date: new Date(0) })}`;
}

export function describeFuture(state: BillingState, isHeld = false): string {
  const next = nextAction(state);
  if (next.do === 'nothing') return 'Nothing: it has ended.';
  if (isHeld) return 'The merchant is suspended: nothing is charged or cancelled for it before it is resumed.';
  const on = dayOf(next.at);
  if (next.do === 'resolve')
    return `The acquirer is asked what became of the charge of period ${next.attempt.period}, before anything else is charged.`;
  if (next.do === 'cancel' && next.reason === 'period_ended') return `On ${on} it ends without another charge.`;
  if (next.do === 'cancel')
    return `On ${on} it is cancelled, unless a new card pays period ${state.current_period_number} before.`;
  const { period, free } = next.attempt;
  if (free) return `Period ${period} is tried at once.`;
  if (state.status !== 'past_due') return `On ${on} period ${period} is charged.`;
  const then = state.terms.status_after_retry === 'cancelled' ? 'it is cancelled' : 'it becomes unpaid';
  return `On ${on} period ${period} is tried again; ${tries(state.retries_left)} left, then ${then}. A new card is tried at once.`;
}

const tries = (count: number): string => (count === 1 ? '1 try' : `${count} tries`);
