/** Texts about the history and the next action of a subscription, for the API and for operators in the Temporal UI. */
import { dayOf, formatMoment } from '../../../../workflows/calendar';
import { ApiError, errorKindOf } from '../../../platform/errors';
import type { Language } from '../../../platform/language';
import { displayMoney } from '../../../platform/money';
import type { HistoryLine, LineDetails } from '../lines/events';
import type { SubscriptionRow } from '../rows';
import { nextAction } from '../rules/billing';
import { changeDay, datesOf, NEVER, pauseStart } from '../rules/periods';
import type { PlannedChange } from '../rules/prices';
import { waitsForNewCard } from '../rules/retries';
import type { BillingState, NextAction } from '../rules/state';
import { english, planOf, retries } from './english';
import { spanish } from './spanish';
import type { Words } from './words';

const words: Record<Language, Words> = { en: english, es: spanish };

export const describeLine = (line: HistoryLine, language: Language = 'en'): string =>
  words[language].lines[line.event](line);
export const formatLine = (line: HistoryLine): string => {
  const at = formatMoment(line.date.getTime()).slice(0, 19).replace('T', ' ');
  return `${at} ${describeLine(line)}${line.transaction_id ? ` (${line.transaction_id})` : ''}`;
};

export const detailsOf = ({ terms, quantity }: PlannedChange): LineDetails => ({ plan: terms.plan_name, quantity });

/** For operators. */
export function describeNextAction(state: Pick<BillingState, 'status' | 'retries_left'>, next: NextAction): string {
  if (next.do === 'nothing') return 'none, ended';
  if (next.do === 'cancel') return next.reason === 'period_ended' ? 'end with the period' : 'cancel, unpaid';
  if (next.do === 'skip') return `skip the retry of period ${next.period}, ${retries(state.retries_left)} left`;
  if (next.do === 'cover') return `begin period ${next.period}, which costs nothing`;
  if (next.do === 'withdraw') return `end the payment of period ${next.period}, if the payer has not made it`;
  if (next.at >= NEVER) return `charge period ${next.attempt.period}`;
  const { period, free } = next.attempt;
  if (next.do === 'resolve') return `look up the charge of period ${period}`;
  if (free) return `charge period ${period} immediately`;
  return state.status === 'past_due'
    ? `retry period ${period}, ${retries(state.retries_left)} left`
    : `charge period ${period}`;
}

/** For operators. */
export function describeCardRefusal(state: Pick<BillingState, 'status' | 'card_refusal'>): string[] {
  if (!state.card_refusal || !waitsForNewCard(state)) return [];
  const { error_code } = state.card_refusal;
  return [`It waits for a new card: ${new ApiError(errorKindOf(error_code)).message} (${error_code}).`];
}

const MAX_REASON_LENGTH = 200;

/** For operators: the stopped action and the reason. */
export function describeHold(row: SubscriptionRow, next: NextAction): string {
  const { suspension, hold } = row;
  const cause = suspension === null && hold ? `held by ${hold.by}` : 'paused, the merchant is suspended';
  const reason = [...(suspension ?? hold?.reason ?? '').replace(/[\s\p{C}]+/gu, ' ')]
    .slice(0, MAX_REASON_LENGTH)
    .join('');
  return `${describeNextAction(row, next)} (${cause}: ${reason})`;
}

export function describeHoldEnd({ suspension, hold }: SubscriptionRow): string {
  if (suspension !== null || !hold) return 'the merchant is resumed';
  return hold.until === null ? 'its billing is released' : formatMoment(hold.until);
}

export function summarise(state: BillingState, language: Language): string {
  const { current_period_number: period, status } = state;
  const text = words[language];
  const credit = state.credit_balance > 0n ? ` ${text.hasCredit(displayMoney(state.credit_balance))}` : '';
  if (status === 'cancelled') {
    const event = state.reason ?? 'cancelled_by_merchant';
    return text.cancelled(describeLine({ event, date: new Date(0) }, language)) + credit;
  }
  const ending =
    (waitsForNewCard(state) ? ` ${text.waitsForNewCard}` : '') +
    (state.is_paused ? ` ${text.paused(pauseStart(state), state.resume_date)}` : '') +
    (state.pending_change ? ` ${text.changes(planOf(detailsOf(state.pending_change)), changeDay(state))}` : '') +
    credit +
    (state.cancel_at_period_end ? ` ${text.endsWithPeriod}` : '');
  if (status === 'trial') return text.inTrial(state.trial_end_date) + ending;
  if (status === 'past_due') return text.pastDue(period, state.retries_left, state.terms.status_after_retry) + ending;
  if (status === 'unpaid') return text.unpaid(period) + ending;
  return text.active(period, datesOf(state).period_end_date) + ending;
}

/** `held`: the merchant is not told about the hold, only about the delay. */
export function describeNext(state: BillingState, delay: 'suspended' | 'held' | undefined, language: Language): string {
  const next = nextAction(state);
  const text = words[language];
  if (next.do === 'nothing') return text.nothingNext;
  if (delay) return text[delay];
  const on = dayOf(next.at);
  if (next.do === 'resolve') return text.asksAcquirer(next.attempt.period);
  if (next.do === 'withdraw') return text.waitsForPayment(next.period, dayOf(state.open?.payment?.until ?? next.at));
  if (next.do === 'cancel' && next.reason === 'period_ended') return text.endsOn(on);
  if (next.do === 'cancel') return text.cancelsOn(on, state.current_period_number);
  const { retries_left, terms } = state;
  if (next.do === 'cover' && next.at >= NEVER) return text.waitsForResumption;
  if (next.do === 'cover') return text.coversOn(on, next.period);
  if (next.do === 'skip') return text.skipsOn(on, next.period, retries_left, terms.status_after_retry);
  const { period, free } = next.attempt;
  if (free) return text.chargesAtOnce(period);
  if (next.at >= NEVER) return text.waitsForResumption;
  if (state.status !== 'past_due') return text.chargesOn(on, period);
  return text.retriesOn(on, period, retries_left, terms.status_after_retry);
}
