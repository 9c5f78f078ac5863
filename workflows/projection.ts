/** What the rules of billing make of the days to come. */
import { nextAction, transition } from './billing';
import { type Day, dayOf, type Moment, startOfDay } from './calendar';
import type { Attempt, BillingState, BillingStatus } from './state';

/** The last day that can be spelled. */
const LAST_MOMENT = startOfDay('9999-12-31');

export interface ProjectedAttempt extends Attempt {
  day: Day;
  status: BillingStatus;
}

/** The attempts to come if the acquirer answers as assumed: without end, or until the subscription ends. */
export function* projection(
  s: BillingState,
  now: Moment,
  assume: (day: Day) => 'paid' | 'declined',
): Generator<ProjectedAttempt, BillingState> {
  let [state, at] = [s, now];
  for (;;) {
    const todo = nextAction(state);
    if (todo.do === 'nothing' || todo.at > LAST_MOMENT) return state;
    if (todo.do !== 'resolve') at = Math.max(at, todo.at);
    if (todo.do === 'cancel') {
      state = transition(state, { type: 'cancel', reason: todo.reason });
      continue;
    }
    const { attempt } = todo;
    if (todo.do === 'charge') state = transition(state, { type: 'prepared', real: at, attempt, transaction_id: '' });
    const sent = todo.do === 'charge' || todo.send;
    state = transition(state, { type: 'answered', at, outcome: sent ? assume(dayOf(at)) : 'not_made' });
    if (sent) yield { ...attempt, day: dayOf(at), status: state.status };
  }
}
