/** Retry schedules and refused cards, by the pure billing rules. */
import fc from 'fast-check';
import { initialState, nextAction, transition } from '../../../../src/billing/subscriptions/rules/billing';
import { datesOf } from '../../../../src/billing/subscriptions/rules/periods';
import type { PlanTerms } from '../../../../src/billing/subscriptions/rules/prices';
import { projection } from '../../../../src/billing/subscriptions/rules/projection';
import { refusedChange } from '../../../../src/billing/subscriptions/rules/requests';
import { EXPIRED, INSUFFICIENT_FUNDS, NUMBER_REFUSED } from '../../../../src/billing/subscriptions/rules/retries';
import type { BillingState, Decline } from '../../../../src/billing/subscriptions/rules/state';
import { errorCodeOf } from '../../../../src/platform/errors';
import { addDays, billingOffset, dayOf, nthChargeDay, startOfDay } from '../../../../workflows/calendar';
import { PLAN, terms } from '../../../harness/merchant/randomSubscriptions';

const monthly: PlanTerms = {
  ...PLAN,
  repeat_every: 1,
  repeat_unit: 'month',
  retry_times: 3,
  retry_schedule: 'daily',
  status_after_retry: 'unpaid',
};
const HARD = [3002, 3004, 3009, 3011];
const HOUR_MS = 3_600_000;
const charged = (day: string): number => startOfDay(day) + billingOffset('s1');
/** Charged on that day. */
const startOn = (day: string, plan: PlanTerms = monthly): BillingState =>
  initialState('s1', plan, 'k1', startOfDay(addDays(day, -1)), addDays(day, -1));

/** Makes the next attempt at its time, or that many milliseconds later. */
function attempt(state: BillingState, decline?: Decline, late = 0): BillingState {
  const action = nextAction(state);
  if (action.do !== 'charge') throw new Error(`the next action is ${action.do}`);
  const at = Math.max(action.at, state.due_at) + late;
  const open = transition(state, { type: 'prepared', realTime: at, attempt: action.attempt, transaction_id: 't' });
  return transition(open, { type: 'answered', at, outcome: decline ? 'declined' : 'paid', decline });
}

/** The days of the actions after a first decline, until no retries are left. */
function retryDays(start: BillingState, decline: Decline): string[] {
  const days: string[] = [];
  for (let state = attempt(start, decline); state.status === 'past_due'; ) {
    const action = nextAction(state);
    if (action.do !== 'charge' && action.do !== 'skip') break;
    days.push(dayOf(action.at));
    state = action.do === 'skip' ? transition(state, { type: 'skipped', at: action.at }) : attempt(state, decline);
  }
  return days;
}

it('the rules know the error codes of the API', () => {
  const kinds = ['card_expired', 'insufficient_funds', 'card_stolen', 'card_lost', 'card_retained'] as const;
  expect([EXPIRED, INSUFFICIENT_FUNDS, ...NUMBER_REFUSED]).toEqual(kinds.map(kind => errorCodeOf(kind)));
});

describe('a retry schedule', () => {
  it('with days is counted from the charge day', () => {
    const plan = { ...monthly, retry_schedule: [1, 3, 7] };
    expect(retryDays(startOn('2027-02-10', plan), { error_code: 3001 })).toEqual([
      '2027-02-11',
      '2027-02-13',
      '2027-02-17',
    ]);
    // The charge was a day late: the following retries keep their days.
    const late = attempt(startOn('2027-02-10', plan), { error_code: 3001 }, 24 * HOUR_MS);
    expect(late.due_at).toBe(charged('2027-02-12'));
    expect(attempt(late, { error_code: 3001 }).due_at).toBe(charged('2027-02-13'));
    // These days have passed: the retries keep their intervals.
    const later = attempt(startOn('2027-02-10', plan), { error_code: 3001 }, 20 * 24 * HOUR_MS);
    expect(later.due_at).toBe(charged('2027-03-03'));
    expect(attempt(later, { error_code: 3001 }).due_at).toBe(charged('2027-03-05'));
  });

  it('with paydays is used after insufficient funds only', () => {
    const plan: PlanTerms = { ...monthly, retry_schedule: 'paydays' };
    const start = startOn('2026-06-01', plan);
    expect(retryDays(start, { error_code: 3003 })).toEqual(['2026-06-12', '2026-06-16', '2026-06-30']);
    expect(retryDays(start, { error_code: 3001 })).toEqual(['2026-06-02', '2026-06-03', '2026-06-04']);
    expect(retryDays(start, { error_code: 3004 })).toEqual(['2026-06-02', '2026-06-03', '2026-06-04']);
    const short = attempt(start, { error_code: 3003 });
    expect(attempt(attempt(short, { error_code: 3001 }), { error_code: 3003 }).due_at).toBe(charged('2026-06-16'));
  });

  it('has retry_times retries on increasing days, and the last one decides the status', () => {
    fc.assert(
      fc.property(terms, fc.constantFrom(3001, 3003, ...HARD), (plan, error_code) => {
        const start = startOn('2027-01-31', plan);
        const days = retryDays(start, { error_code });
        expect(days).toHaveLength(plan.retry_times);
        expect([...new Set(days)].sort()).toEqual(days);
        const next = nthChargeDay('2027-01-31', 2, plan.repeat_every, plan.repeat_unit);
        const isPaydays = plan.retry_schedule === 'paydays' && error_code === 3003;
        const hasRoom = addDays('2027-01-31', plan.retry_times) < next;
        if (isPaydays && hasRoom) expect(days.every(day => day < next)).toBe(true);
        if (typeof plan.retry_schedule === 'object')
          expect(days).toEqual(plan.retry_schedule.map(offset => addDays('2027-01-31', offset)));
      }),
    );
  });

  it('is what the projection of declined charges shows', () => {
    const plan: PlanTerms = { ...monthly, retry_schedule: 'paydays', status_after_retry: 'cancelled' };
    const projected = [...projection(startOn('2026-06-01', plan), 0, () => 'declined')];
    expect(projected.map(({ day }) => day)).toEqual(['2026-06-01', '2026-06-12', '2026-06-16', '2026-06-30']);
    expect(projected.at(-1)?.status).toBe('cancelled');
  });
});

describe('after a hard decline', () => {
  const stolen = attempt(startOn('2027-02-10'), { error_code: 3004 });

  it('dates and status are those of declined retries, and nothing is sent', () => {
    fc.assert(
      fc.property(terms, fc.constantFrom(...HARD), (plan, error_code) => {
        let refused = attempt(startOn('2027-01-31', plan), { error_code });
        let declined = attempt(startOn('2027-01-31', plan), { error_code: 3001 });
        while (declined.status === 'past_due') {
          const { status, due_at, retries_left } = declined;
          expect([refused.status, refused.due_at, refused.retries_left]).toEqual([status, due_at, retries_left]);
          expect(nextAction(refused)).toEqual({ do: 'skip', at: due_at, period: 1 });
          refused = transition(refused, { type: 'skipped', at: due_at });
          declined = attempt(declined, { error_code: 3001 });
        }
        expect([refused.status, refused.due_at, refused.reason]).toEqual([
          declined.status,
          declined.due_at,
          declined.reason,
        ]);
        expect(datesOf(refused)).toEqual(datesOf(declined));
      }),
    );
  });

  it('a retry is refused, and a new card is tried at once', () => {
    expect(refusedChange(stolen, { retry: 'e' }, 0)).toBe('card_not_retried');
    const changed = transition(stolen, { type: 'change', at: stolen.due_at, card_id: 'k2' });
    expect(changed.card_refusal).toBeNull();
    expect(nextAction(changed)).toMatchObject({ do: 'charge', at: 0, attempt: { free: true } });
    expect(attempt(changed).status).toBe('active');
  });

  it('the same number counts as new only if the card had expired', () => {
    const again = { card_id: 'k2', is_same_number: true };
    expect(refusedChange(stolen, again, 0)).toBe('card_number_refused');
    expect(refusedChange(attempt(startOn('2027-02-10'), { error_code: 3002 }), again, 0)).toBeUndefined();
    const other = attempt(transition(stolen, { type: 'change', at: 0, card_id: 'k3' }), { error_code: 3001 });
    expect(refusedChange(other, { card_id: 'k1', is_refused_number: true }, 0)).toBe('card_number_refused');
  });

  it('a card that was added during the attempt is tried', () => {
    const state = startOn('2027-02-10');
    const first = { period: 1, attempt: 1, free: false };
    const open = transition(state, { type: 'prepared', realTime: 0, attempt: first, transaction_id: 't' });
    const changed = transition(open, { type: 'change', at: 0, card_id: 'k2' });
    const decline = { error_code: 3009 };
    const declined = transition(changed, { type: 'answered', at: state.due_at, outcome: 'declined', decline });
    expect(declined.card_refusal).toBeNull();
    expect(nextAction(declined)).toMatchObject({ do: 'charge', attempt: { free: true } });
  });

  it('the projection has no charges of the period', () => {
    expect([...projection(stolen, stolen.due_at, () => 'paid')]).toEqual([]);
  });
});

describe("the acquirer's advice", () => {
  it('not to retry makes any decline a hard one', () => {
    const state = attempt(startOn('2027-02-10'), { error_code: 3001, advice: 'do_not_retry' });
    expect(nextAction(state)).toMatchObject({ do: 'skip' });
    expect(refusedChange(state, { card_id: 'k1', is_same_number: true }, 0)).toBe('card_number_refused');
  });

  it('to wait makes a hard decline a soft one, and no attempt with this number comes earlier', () => {
    const advice = { retry_after_hours: 60 };
    const state = attempt(startOn('2027-02-10'), { error_code: 3004, advice });
    const until = charged('2027-02-10') + 60 * HOUR_MS;
    expect(nextAction(state)).toMatchObject({ do: 'charge', at: until });
    expect([state.retries_left, dayOf(until)]).toEqual([3, '2027-02-12']);
    expect(refusedChange(state, { retry: 'e' }, until - 1)).toBe('retry_too_early');
    expect(refusedChange(state, { retry: 'e' }, until)).toBeUndefined();
    const again = transition(state, { type: 'change', at: until - 1, card_id: 'k2', is_same_number: true });
    expect(nextAction(again)).toMatchObject({ do: 'charge', at: until, attempt: { free: false } });
    const other = transition(state, { type: 'change', at: until - 1, card_id: 'k2' });
    expect(nextAction(other)).toMatchObject({ do: 'charge', at: 0, attempt: { free: true } });
  });

  it('to wait moves a retry to the next day of the schedule', () => {
    const plan = { ...monthly, retry_schedule: [1, 3, 7] };
    const advice = { retry_after_hours: 5 * 24 };
    const state = attempt(startOn('2027-02-10', plan), { error_code: 3001, advice });
    expect(state.due_at).toBe(charged('2027-02-15'));
    expect(attempt(state, { error_code: 3001 }).due_at).toBe(charged('2027-02-17'));
  });
});
