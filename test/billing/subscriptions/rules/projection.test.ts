import fc from 'fast-check';
import { nextAction, transition } from '../../../../src/billing/subscriptions/rules/billing';
import { NEVER } from '../../../../src/billing/subscriptions/rules/periods';
import { projection } from '../../../../src/billing/subscriptions/rules/projection';
import type { BillingState } from '../../../../src/billing/subscriptions/rules/state';
import { addDays, DAY_MS, dayOf } from '../../../../workflows/calendar';
import { anyStep, HISTORIES, runSubscription, terms } from '../../../harness/merchant/randomSubscriptions';

describe('the projection', () => {
  const dayOfDecline = fc.option(fc.integer({ min: 0, max: 200 }), { nil: undefined });

  it('matches the later charges as the clock advances', () => {
    fc.assert(
      fc.property(
        terms,
        fc.integer({ min: 0, max: 40 }),
        dayOfDecline,
        fc.array(anyStep, { maxLength: 20 }),
        (terms, trial, declined, deeds) => {
          const at = Date.parse('2027-01-31T17:00:00Z');
          const { state } = runSubscription(terms, at, trial, deeds);
          const start = Math.max(at, state.due_at < NEVER ? state.due_at : 0) + 41 * 20 * DAY_MS;
          const from = declined === undefined ? undefined : addDays(dayOf(start), declined);
          const assume = (day: string) => (from !== undefined && day >= from ? 'declined' : 'paid');
          const projected = [];
          for (const each of projection(state, start, assume)) {
            projected.push(each);
            if (projected.length >= 30) break;
          }
          expect(projected).toEqual(billed(state, start, assume, 30));
        },
      ),
      { numRuns: HISTORIES },
    );
  });

  /** Advances hour by hour, like a clock. */
  function billed(s: BillingState, start: number, assume: (day: string) => 'paid' | 'declined', most: number) {
    const made = [];
    let state = s;
    let now = start;
    while (made.length < most) {
      const todo = nextAction(state);
      if (todo.do === 'nothing' || todo.at >= NEVER) break;
      if (todo.do !== 'resolve' && todo.at > now) {
        now = Math.min(todo.at, now + 3_600_000 * 1000);
        continue;
      }
      if (todo.do === 'withdraw')
        state = transition(state, {
          type: 'answered',
          at: now,
          outcome: assume(dayOf(start)) === 'paid' ? 'paid' : 'not_made',
        });
      else if (todo.do === 'cancel') state = transition(state, { type: 'cancel', reason: todo.reason });
      else if (todo.do === 'skip') state = transition(state, { type: 'skipped', at: now });
      else if (todo.do === 'cover') {
        const { period } = todo;
        state = transition(state, { type: 'covered', at: now });
        const { status, invoice } = state;
        made.push({ period, attempt: 1, free: false, day: dayOf(now), status, amount: 0n, invoice });
      } else {
        const isChange = state.open?.replacement !== undefined && !state.open.is_reversed;
        const send = todo.do === 'charge' || todo.send || isChange;
        if (todo.do === 'charge')
          state = transition(state, { type: 'prepared', realTime: now, attempt: todo.attempt, transaction_id: 'x' });
        const outcome = send ? assume(dayOf(now)) : 'not_made';
        state = transition(state, { type: 'answered', at: now, outcome, decline: { error_code: 3003 } });
        if (send) {
          const { status, terms } = state;
          const invoice = state.invoice?.period === todo.attempt.period ? state.invoice : null;
          made.push({ ...todo.attempt, day: dayOf(now), status, amount: invoice?.amount ?? terms.amount, invoice });
        }
      }
    }
    return made;
  }
});
