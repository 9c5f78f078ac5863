/** What the rules of billing make of the days to come. */
import { next, step } from './billing';
import { type Day, dayOf, type Moment, opening } from './calendar';
import type { Attempt, Status, Subscription } from './state';

/** The last day that can be spelled. */
const LAST = opening('9999-12-31');

export interface Projected extends Attempt {
  day: Day;
  status: Status;
}

/** The attempts to come if the acquirer answers as assumed: without end, or until the subscription ends. */
export function* projection(
  s: Subscription,
  now: Moment,
  assume: (day: Day) => 'paid' | 'declined',
): Generator<Projected, Subscription> {
  let [state, at] = [s, now];
  for (;;) {
    const todo = next(state);
    if (todo.do === 'nothing' || todo.at > LAST) return state;
    if (todo.do !== 'resolve') at = Math.max(at, todo.at);
    if (todo.do === 'cancel') {
      state = step(state, { type: 'cancel', reason: todo.reason });
      continue;
    }
    const { attempt } = todo;
    if (todo.do === 'charge') state = step(state, { type: 'prepared', real: at, attempt, transaction_id: '' });
    const sent = todo.do === 'charge' || todo.send;
    state = step(state, { type: 'answered', at, outcome: sent ? assume(dayOf(at)) : 'not_made' });
    if (sent) yield { ...attempt, day: dayOf(at), status: state.status };
  }
}
