/** The waits of a subscription for an answer of the acquirer, and for its payer. */
import type { Moment } from '../../../../workflows/calendar';
import { hasUnpaidPeriod } from './periods';
import type { BillingState, OpenAttempt, PeriodPayment } from './state';

/** Backoff between lookups of an unanswered attempt; the last pause repeats. */
export const NO_ANSWER_PAUSES_MS = [2_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000];
/** The workflow resolves the charge of a replacement if the request that sends it has not ended by then. */
export const REPLACEMENT_LEASE_MS = 45_000;
const GRACE_MS = 30 * 60_000;

/** After another missing answer. */
export function withoutAnswer(open: OpenAttempt, realTime: Moment): OpenAttempt {
  const pause = NO_ANSWER_PAUSES_MS[Math.min(open.tries, NO_ANSWER_PAUSES_MS.length - 1)] ?? 0;
  return { ...open, tries: open.tries + 1, again_at: realTime + pause };
}

/** A payer whose payment ended early has time for another one before the retry that waited. */
export function withGrace(state: BillingState, payment: PeriodPayment | undefined, at: Moment): BillingState {
  const hasGrace = payment && at < payment.until && hasUnpaidPeriod(state) && !state.try_now;
  return hasGrace ? { ...state, due_at: Math.max(state.due_at, Math.min(at + GRACE_MS, payment.until)) } : state;
}
