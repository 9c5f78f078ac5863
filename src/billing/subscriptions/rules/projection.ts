/** Projects future charges by the billing rules. */
import { type Day, dayOf, type Moment } from '../../../../workflows/calendar';
import { nextAction, transition } from './billing';
import { NEVER } from './periods';
import { INSUFFICIENT_FUNDS } from './retries';
import type { Attempt, BillingState, BillingStatus } from './state';

export interface ProjectedAttempt extends Attempt {
  day: Day;
  status: BillingStatus;
}

/**
 * Yields upcoming attempts with assumed outcomes; endless unless the subscription ends. Declines are assumed to be for
 * insufficient funds, the most frequent reason.
 */
export function* projection(
  start: BillingState,
  now: Moment,
  assume: (day: Day) => 'paid' | 'declined',
): Generator<ProjectedAttempt, BillingState> {
  let [state, at] = [start, now];
  for (;;) {
    const action = nextAction(state);
    if (action.do === 'nothing' || action.at >= NEVER) return state;
    if (action.do !== 'resolve') at = Math.max(at, action.at);
    if (action.do === 'cancel') {
      state = transition(state, { type: 'cancel', reason: action.reason });
      continue;
    }
    if (action.do === 'skip') {
      state = transition(state, { type: 'skipped', at });
      continue;
    }
    const { attempt } = action;
    if (action.do === 'charge')
      state = transition(state, { type: 'prepared', realTime: at, attempt, transaction_id: '' });
    const isSent = action.do === 'charge' || action.send;
    const outcome = isSent ? assume(dayOf(at)) : 'not_made';
    state = transition(state, { type: 'answered', at, outcome, decline: { error_code: INSUFFICIENT_FUNDS } });
    if (isSent) yield { ...attempt, day: dayOf(at), status: state.status };
  }
}
