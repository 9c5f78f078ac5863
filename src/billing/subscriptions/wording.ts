/**
 * What happened to a subscription and what comes next, in words for support staff and for operators in the Temporal UI.
 */
import { datesOf, nextAction } from '../../../workflows/billing';
import { dayOf, formatMoment } from '../../../workflows/calendar';
import type { BillingState, NextAction } from '../../../workflows/state';
import type { Language } from '../../platform/language';
import type { HistoryLine, SubscriptionRow } from './rows';
import { english, tries } from './words/english';
import { spanish } from './words/spanish';
import type { Words } from './words/words';

const words: Record<Language, Words> = { en: english, es: spanish };

export const describeLine = (line: HistoryLine, language: Language = 'en'): string =>
  words[language].lines[line.event](line);
export const formatLine = (line: HistoryLine): string => {
  const at = formatMoment(line.date.getTime()).slice(0, 19).replace('T', ' ');
  return `${at} ${describeLine(line)}${line.transaction_id ? ` (${line.transaction_id})` : ''}`;
};

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

/** For operators: what would come next if the merchant were not suspended or billing not held, and why it is. */
export function describePause(row: SubscriptionRow, next: NextAction): string {
  const { suspension, hold } = row;
  const why = suspension === null && hold ? `held by ${hold.by}` : 'paused, the merchant is suspended';
  const reason = [...(suspension ?? hold?.reason ?? '').replace(/[\s\p{C}]+/gu, ' ')]
    .slice(0, MAX_REASON_LENGTH)
    .join('');
  return `${describeNextAction(row, next)} (${why}: ${reason})`;
}

export function describePauseEnd({ suspension, hold }: SubscriptionRow): string {
  if (suspension !== null || !hold) return 'the merchant is resumed';
  return hold.until === null ? 'its billing is released' : formatMoment(hold.until);
}

export function summarise(state: BillingState, language: Language): string {
  const { current_period_number: period, status } = state;
  const say = words[language];
  if (status === 'cancelled') {
    const event = state.reason ?? 'cancelled_by_merchant';
    return say.cancelled(describeLine({ event, date: new Date(0) }, language));
  }
  const ending = state.cancel_at_period_end ? ` ${say.endsWithPeriod}` : '';
  if (status === 'trial') return say.inTrial(state.trial_end_date) + ending;
  if (status === 'past_due') return say.pastDue(period, state.retries_left, state.terms.status_after_retry) + ending;
  if (status === 'unpaid') return say.unpaid(period) + ending;
  return say.active(period, datesOf(state).period_end_date) + ending;
}

/** `pause` says whether the merchant knows why nothing is done, or only that it is not. */
export function describeFuture(
  state: BillingState,
  pause: 'suspended' | 'held' | undefined,
  language: Language,
): string {
  const next = nextAction(state);
  const say = words[language];
  if (next.do === 'nothing') return say.nothingNext;
  if (pause) return say[pause];
  const on = dayOf(next.at);
  if (next.do === 'resolve') return say.asksAcquirer(next.attempt.period);
  if (next.do === 'cancel' && next.reason === 'period_ended') return say.endsOn(on);
  if (next.do === 'cancel') return say.cancelsOn(on, state.current_period_number);
  const { period, free } = next.attempt;
  if (free) return say.chargesAtOnce(period);
  if (state.status !== 'past_due') return say.chargesOn(on, period);
  return say.retriesOn(on, period, state.retries_left, state.terms.status_after_retry);
}
