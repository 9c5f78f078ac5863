/** Projects future charges by the billing rules. */
import { type Day, dayOf, type Moment } from '../../../../workflows/calendar';
import type { Money } from '../../../platform/money';
import { nextAction, transition } from './billing';
import { amountOf } from './invoices';
import { NEVER } from './periods';
import type { Invoice } from './prices';
import { INSUFFICIENT_FUNDS } from './retries';
import type { Attempt, BillingState, BillingStatus } from './state';

export interface ProjectedAttempt extends Attempt {
  day: Day;
  status: BillingStatus;
  /** Zero for a period that costs nothing. */
  amount: Money;
  invoice: Invoice | null;
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
    if (action.do === 'withdraw') {
      state = transition(state, { type: 'answered', at, outcome: assume(dayOf(now)) === 'paid' ? 'paid' : 'not_made' });
      continue;
    }
    if (action.do === 'cover') {
      state = transition(state, { type: 'covered', at });
      yield { period: action.period, attempt: 1, free: false, ...billedIn(state, action.period, at) };
      continue;
    }
    const { attempt } = action;
    if (action.do === 'charge')
      state = transition(state, { type: 'prepared', realTime: at, attempt, transaction_id: '' });
    // A replacement is finished by its request.
    const isChange = state.open?.replacement !== undefined && !state.open.is_reversed;
    const isSent = action.do === 'charge' || action.send || isChange;
    const outcome = isSent ? assume(dayOf(at)) : 'not_made';
    state = transition(state, { type: 'answered', at, outcome, decline: { error_code: INSUFFICIENT_FUNDS } });
    if (isSent) yield { ...attempt, ...billedIn(state, attempt.period, at) };
  }
}

const billedIn = (state: BillingState, period: number, at: Moment) => ({
  day: dayOf(at),
  status: state.status,
  amount: amountOf(state, period),
  invoice: state.invoice?.period === period ? state.invoice : null,
});
