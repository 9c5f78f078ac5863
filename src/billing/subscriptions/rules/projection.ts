/** Projects future charges by the billing rules. */
import { type Day, dayOf, type Moment } from '../../../../workflows/calendar';
import { nextAction, transition } from './billing';
import { NEVER } from './periods';
import type { Attempt, BillingState, BillingStatus } from './state';

export interface ProjectedAttempt extends Attempt {
  day: Day;
  status: BillingStatus;
}

/** Yields upcoming attempts with assumed outcomes; endless unless the subscription ends. */
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
    const { attempt } = action;
    if (action.do === 'charge')
      state = transition(state, { type: 'prepared', realTime: at, attempt, transaction_id: '' });
    const isSent = action.do === 'charge' || action.send;
    state = transition(state, { type: 'answered', at, outcome: isSent ? assume(dayOf(at)) : 'not_made' });
    if (isSent) yield { ...attempt, day: dayOf(at), status: state.status };
  }
}
