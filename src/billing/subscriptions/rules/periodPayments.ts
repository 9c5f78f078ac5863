/** The payment of a due period by its payer, in place of a charge to the card. */
import { addDays, dayOf, type Moment, startOfDay } from '../../../../workflows/calendar';
import { nextAction, transition } from './billing';
import { hasUnpaidPeriod } from './periods';
import { INSUFFICIENT_FUNDS } from './retries';
import type { BillingState } from './state';

const HOUR_MS = 3_600_000;
/** A payment that could be made for a shorter time is not offered. */
const MIN_MS = HOUR_MS / 4;

/** Whether the payer can be asked to pay the due period now. */
const isPayable = (state: BillingState): boolean => hasUnpaidPeriod(state) && !state.open && !state.try_now;

/** When retries end: the end of the day of the last one, or the end of the subscription. */
function endOfRetries(start: BillingState, now: Moment): Moment {
  let [state, at] = [start, now];
  while (state.status === 'past_due') {
    const next = nextAction(state);
    if (next.do === 'cancel') return next.at;
    if (next.do !== 'charge' && next.do !== 'skip') throw new Error(`billing: ${state.id} cannot be ${next.do} here`);
    at = Math.max(at, next.at);
    if (next.do === 'charge')
      state = transition(state, { type: 'prepared', realTime: at, attempt: next.attempt, transaction_id: '' });
    const decline = { error_code: INSUFFICIENT_FUNDS };
    state = transition(
      state,
      next.do === 'skip' ? { type: 'skipped', at } : { type: 'answered', at, outcome: 'declined', decline },
    );
  }
  return start.status === 'unpaid' ? start.due_at : startOfDay(addDays(dayOf(at), 1)) - 1000;
}

/** The time until which a payment begun now can be made, within the hours of its method; undefined if none is possible. */
export function payableUntil(state: BillingState, now: Moment, hours: number): Moment | undefined {
  if (!isPayable(state)) return undefined;
  const until = Math.min(now + hours * HOUR_MS, endOfRetries(state, now));
  return until - now < MIN_MS ? undefined : until;
}
