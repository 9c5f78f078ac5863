/** Attempts with an unknown outcome, by the pure rules. */
import { initialState, nextAction, transition } from '../../../../src/billing/subscriptions/rules/billing';
import type { PlanTerms } from '../../../../src/billing/subscriptions/rules/prices';
import type { Attempt, AttemptOutcome } from '../../../../src/billing/subscriptions/rules/state';
import { PLAN } from '../../../harness/merchant/randomSubscriptions';

const monthly: PlanTerms = {
  ...PLAN,
  repeat_every: 1,
  repeat_unit: 'month',
  retry_times: 3,
  retry_schedule: 'daily',
  status_after_retry: 'unpaid',
};

describe('a card that is changed while an outcome is unknown', () => {
  const prepared = (attempt: Attempt) => ({ type: 'prepared', realTime: 0, attempt, transaction_id: 't' }) as const;
  const answered = (outcome: AttemptOutcome, at = 0) => ({ type: 'answered', outcome, at }) as const;
  const first = initialState('s1', monthly, 'k1', 0, '1969-12-31');
  const open = transition(first, prepared({ period: 1, attempt: 1, free: false }));
  const changed = transition(open, { type: 'change', at: 0, card_id: 'k2' });

  it('is charged at once after a decline, without using a retry, and not charged after a payment', () => {
    const declined = transition(changed, answered('declined'));
    const attempt = { period: 1, attempt: 2, free: true };
    expect(nextAction(declined)).toEqual({ do: 'charge', at: 0, attempt });
    // On the day of the retry.
    const tried = transition(transition(declined, prepared(attempt)), answered('declined', declined.due_at - 1));
    expect(tried).toMatchObject({ due_at: declined.due_at, retries_left: 3, attempts: 2, try_now: false });
    expect(nextAction(transition(changed, answered('paid')))).toMatchObject({ attempt: { period: 2, free: false } });
  });
});

describe('a charge without a response', () => {
  it('is looked up with delays that grow during the outage, up to ten minutes', () => {
    const attempt = { period: 1, attempt: 1, free: false };
    const first = initialState('s1', monthly, 'k', 0, '1969-12-31');
    let state = transition(first, { type: 'prepared', realTime: 0, attempt, transaction_id: 't' });
    const seconds: number[] = [];
    for (let now = 0; seconds.length < 9; now = state.open?.again_at ?? 0) {
      state = transition(state, { type: 'unanswered', realTime: now });
      seconds.push(((state.open?.again_at ?? 0) - now) / 1000);
    }
    expect(seconds).toEqual([2, 10, 30, 60, 120, 300, 600, 600, 600]);
  });
});
