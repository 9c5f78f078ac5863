/** When an unpaid period is retried, and whether the present card may be charged again. */
import { addDays, type Day, dayOf, type Moment, sameTimeOn } from '../../../../workflows/calendar';
import { paydayRetries } from './paydays';
import { hasUnpaidPeriod, isCollecting } from './periods';
import type { BillingState, CardRefusal, Decline, PlanTerms, SubscriptionChange } from './state';

const HOUR_MS = 3_600_000;

export const INSUFFICIENT_FUNDS = 3003;
export const EXPIRED = 3002;
/** Stolen, lost, and to be retained. */
export const NUMBER_REFUSED: readonly number[] = [3004, 3009, 3011];
/** Card networks forbid another attempt with the same card. */
const HARD_DECLINES: readonly number[] = [EXPIRED, ...NUMBER_REFUSED];

function refusalAfter(decline: Decline | undefined, at: Moment): CardRefusal | null {
  if (!decline) return null;
  const { error_code, advice } = decline;
  if (typeof advice === 'object') return { error_code, until: at + advice.retry_after_hours * HOUR_MS };
  return advice === 'do_not_retry' || HARD_DECLINES.includes(error_code) ? { error_code, until: null } : null;
}

/** A decline says nothing about a card that was added during the attempt. A refused card is not tried on request. */
export function withDecline(
  state: BillingState,
  card_id: string,
  decline: Decline | undefined,
  at: Moment,
): BillingState {
  if (state.card_id !== card_id) return state;
  const card_refusal = refusalAfter(decline, at);
  return { ...state, card_refusal, try_now: state.try_now && card_refusal === null };
}

type Refused = Pick<BillingState, 'status' | 'card_refusal'>;

export const waitsForNewCard = (state: Refused): boolean =>
  hasUnpaidPeriod(state) && state.card_refusal?.until === null;
const isTooEarly = ({ card_refusal }: Refused, at: Moment): boolean => at < (card_refusal?.until ?? 0);

/** An expired card can be renewed under its number. After other refusals the number never counts as new. */
export function refusedRetry(
  state: Refused,
  { card_id, is_same_number = false, is_refused_number = false, retry }: SubscriptionChange,
  at: Moment,
): 'card_not_retried' | 'retry_too_early' | 'card_number_refused' | undefined {
  if (retry && waitsForNewCard(state)) return 'card_not_retried';
  if (retry && isTooEarly(state, at)) return 'retry_too_early';
  const isRefused = waitsForNewCard(state) && state.card_refusal?.error_code !== EXPIRED;
  const isRefusedAgain = is_refused_number || (is_same_number && isRefused);
  return card_id !== undefined && isRefusedAgain ? 'card_number_refused' : undefined;
}

/**
 * A card added during an unresolved attempt is charged afterwards, unless the period was paid. A number that must wait
 * is not charged before, even if it is set again.
 */
export function withCard(
  state: BillingState,
  { card_id = state.card_id, is_same_number = false }: SubscriptionChange,
  at: Moment,
): BillingState {
  const mustWait = is_same_number && isTooEarly(state, at);
  const try_now = (hasUnpaidPeriod(state) || isCollecting(state)) && !mustWait;
  return { ...state, card_id, card_refusal: mustWait ? state.card_refusal : null, try_now };
}

interface PeriodDays {
  /** Charge days of the unpaid period and of the next one. */
  charge_day: Day;
  next_charge_day: Day;
}

const latest = (a: Day, b: Day): Day => (a > b ? a : b);

/**
 * The planned time of day on the first day of the schedule after the answer, so that a late answer does not make two
 * attempts coincide.
 */
export function nextRetryAt(
  { terms, retries_left, due_at, card_refusal }: BillingState,
  days: PeriodDays,
  at: Moment,
  error_code?: number,
): Moment {
  const earliest = card_refusal?.until ?? at;
  const after = latest(dayOf(at), addDays(dayOf(earliest), -1));
  const day = retryDay(terms, retries_left, days, after, error_code === INSUFFICIENT_FUNDS);
  return Math.max(earliest, sameTimeOn(day, due_at));
}

function retryDay(
  { retry_schedule, retry_times }: PlanTerms,
  retries_left: number,
  { charge_day, next_charge_day }: PeriodDays,
  after: Day,
  isShortOfFunds: boolean,
): Day {
  const tomorrow = addDays(after, 1);
  if (retries_left <= 0 || retry_schedule === 'daily') return tomorrow;
  if (retry_schedule === 'paydays')
    return (isShortOfFunds && paydayRetries(after, next_charge_day, retries_left)[0]) || tomorrow;
  const retry = retry_times - retries_left;
  const offset = retry_schedule[retry] ?? 1;
  const planned = addDays(charge_day, offset);
  // A period that was charged late keeps the intervals.
  return planned > after ? planned : addDays(after, Math.max(1, offset - (retry_schedule[retry - 1] ?? 0)));
}
