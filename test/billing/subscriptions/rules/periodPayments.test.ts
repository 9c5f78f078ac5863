/** The payment of a due period in another way: its duration, and the retries that wait for it. */
import { initialState, nextAction, transition } from '../../../../src/billing/subscriptions/rules/billing';
import { payableUntil } from '../../../../src/billing/subscriptions/rules/periodPayments';
import type { PlanTerms } from '../../../../src/billing/subscriptions/rules/prices';
import type { BillingState } from '../../../../src/billing/subscriptions/rules/state';
import { addDays, startOfDay } from '../../../../workflows/calendar';
import { inAnyHistory, PLAN } from '../../../harness/merchant/randomSubscriptions';

const HOUR_MS = 3_600_000;
const NOON = 12 * HOUR_MS;
const monthly: PlanTerms = {
  ...PLAN,
  ...{
    repeat_every: 1,
    repeat_unit: 'month',
    retry_times: 3,
    retry_schedule: 'daily',
    status_after_retry: 'cancelled',
  },
} as const;

/** Charged and declined on 10 March 2027. */
function declined(plan: Partial<PlanTerms> = {}, error_code = 3001): BillingState {
  const day = '2027-03-10';
  const start = initialState('s1', { ...monthly, ...plan }, 'k1', startOfDay(day), addDays(day, -1));
  const attempt = { period: 1, attempt: 1, free: false };
  const open = transition(start, { type: 'prepared', realTime: 0, attempt, transaction_id: 't1' });
  return transition(open, {
    type: 'answered',
    at: startOfDay(day) + NOON,
    outcome: 'declined',
    decline: { error_code },
  });
}

function begin(state: BillingState, until: number): BillingState {
  const attempt = { period: state.current_period_number, attempt: state.attempts, free: false };
  const payment = { method: 'store', until };
  return transition(state, { type: 'prepared', realTime: 0, attempt, transaction_id: 't2', payment });
}

it.each([
  ['the hours of its method', {}, 24, '2027-03-11 12:00'],
  ['the day of the last retry', {}, 72, '2027-03-13 12:00'],
  ['the day of the only retry', { retry_times: 1 }, 72, '2027-03-11 23:59'],
  ['the day of the last retry of a schedule', { retry_times: 2, retry_schedule: [1, 2] }, 72, '2027-03-12 23:59'],
  ['the end of a subscription that is unpaid', { retry_times: 0, status_after_retry: 'unpaid' }, 9999, '2027-04-10'],
] as const)('a payment ends with %s', (_, plan, hours, expected) => {
  const until = payableUntil(declined(plan), startOfDay('2027-03-10') + NOON, hours) ?? 0;
  const bogota = new Date(until - 5 * HOUR_MS).toISOString().replace('T', ' ');
  expect(bogota).toContain(expected);
});

it('a refused card shortens nothing: its retries are skipped on the same days', () => {
  const now = startOfDay('2027-03-10') + NOON;
  expect(payableUntil(declined({}, 3009), now, 999)).toBe(payableUntil(declined(), now, 999));
});

it('a payment is offered for a quarter of an hour at least', () => {
  const only = declined({ retry_times: 1 });
  expect(payableUntil(only, startOfDay('2027-03-12') - 20 * 60_000, 24)).toBe(startOfDay('2027-03-12') - 1000);
  expect(payableUntil(only, startOfDay('2027-03-12') - 15 * 60_000, 24)).toBeUndefined();
});

it('in any history, retries wait for a payment, and follow it as if it had not been', () => {
  inAnyHistory(({ states }) => {
    for (const state of states) {
      const now = Math.max(0, state.due_at - HOUR_MS);
      const until = payableUntil(state, now, 72);
      const isDue = state.status === 'past_due' || state.status === 'unpaid';
      if (!isDue || state.open || state.try_now) expect(until).toBeUndefined();
      if (until === undefined) continue;
      const waiting = begin(state, until);
      expect(nextAction(waiting)).toEqual({ do: 'withdraw', at: until, period: state.current_period_number });
      expect(transition(waiting, { type: 'answered', at: until, outcome: 'not_made' })).toEqual(state);
      const early = transition(waiting, { type: 'answered', at: now, outcome: 'not_made' });
      expect(early).toEqual({ ...state, due_at: Math.max(state.due_at, Math.min(now + HOUR_MS / 2, until)) });
      expect(transition(state, { type: 'paid_late', at: now, transaction_id: 't2', method: 'store' })).toMatchObject({
        status: 'active',
        attempts: 0,
      });
      const paid = transition(waiting, { type: 'answered', at: until, outcome: 'paid' });
      expect(paid).toMatchObject({ status: 'active', open: null, retries_left: 0, attempts: 0 });
      const ended = transition(waiting, { type: 'cancel', reason: 'cancelled_by_merchant' });
      expect(nextAction(ended)).toMatchObject({ do: 'withdraw', at: 0 });
      const withCard = transition(waiting, { type: 'change', at: now, card_id: 'k2' });
      expect(nextAction(withCard)).toMatchObject({ do: 'withdraw', at: 0 });
    }
  });
});
