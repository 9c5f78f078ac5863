/** Pauses by the pure rules: what is paid is never taken away, and nothing is charged meanwhile. */
import { initialState, nextAction, transition } from '../../../../src/billing/subscriptions/rules/billing';
import { datesOf, isPauseInEffect, NEVER, pauseStart } from '../../../../src/billing/subscriptions/rules/periods';
import { projection } from '../../../../src/billing/subscriptions/rules/projection';
import { refusedChange } from '../../../../src/billing/subscriptions/rules/requests';
import type { BillingState, PlanTerms } from '../../../../src/billing/subscriptions/rules/state';
import { billingOffset, type Day, dayOf, startOfDay } from '../../../../workflows/calendar';
import { inAnyHistory, PLAN } from '../../../harness/merchant/randomSubscriptions';

const ID = 's0000000000000000001';
const noon = (day: Day): number => startOfDay(day) + 12 * 3_600_000;
const MONTHLY: PlanTerms = {
  ...PLAN,
  repeat_every: 1,
  repeat_unit: 'month',
  retry_times: 1,
  retry_schedule: 'daily',
  status_after_retry: 'unpaid',
};

/** Active, with its first period paid on this day. */
function paidOn(day: Day): BillingState {
  const created = initialState(ID, MONTHLY, 'k0', noon(day), '2000-01-01');
  return answer(prepare(created, noon(day)), noon(day));
}
const prepare = (state: BillingState, at: number): BillingState => {
  const action = nextAction(state);
  if (action.do !== 'charge') throw new Error(`${action.do} is due`);
  return transition(state, { type: 'prepared', realTime: at, attempt: action.attempt, transaction_id: 't' });
};
const answer = (state: BillingState, at: number, outcome: 'paid' | 'declined' | 'not_made' = 'paid'): BillingState =>
  transition(state, { type: 'answered', at, outcome });
const pause = (state: BillingState, day: Day, resume_date: Day | null = null): BillingState =>
  transition(state, { type: 'change', at: noon(day), pause: { resume_date } });
const resume = (state: BillingState, day: Day): BillingState =>
  transition(state, { type: 'change', at: noon(day), resume: 'request' });
const daysOf = (state: BillingState, from: Day, count: number): Day[] => {
  const days: Day[] = [];
  for (const { day } of projection(state, noon(from), () => 'paid')) {
    days.push(day);
    if (days.length === count) break;
  }
  return days;
};

it('begins when the paid period ends, and charges nothing until the resumption, whose day is the new anchor', () => {
  const paused = pause(paidOn('2027-01-31'), '2027-02-05');
  expect([pauseStart(paused), datesOf(paused).charge_date]).toEqual(['2027-02-28', '2027-02-28']);
  expect(nextAction(paused)).toMatchObject({ do: 'charge', at: NEVER });
  expect(isPauseInEffect(paused, noon('2027-02-27'))).toBe(false);
  expect(isPauseInEffect(paused, noon('2027-02-28'))).toBe(true);
  expect(daysOf(paused, '2027-02-05', 2)).toEqual([]);
  const resumed = resume(paused, '2027-04-10');
  expect(nextAction(resumed)).toMatchObject({ do: 'charge', at: noon('2027-04-10'), attempt: { period: 2 } });
  expect(daysOf(resumed, '2027-04-10', 3)).toEqual(['2027-04-10', '2027-05-10', '2027-06-10']);
});

it('resumes by itself on its day', () => {
  const paused = pause(paidOn('2027-01-31'), '2027-02-05', '2027-05-02');
  expect(datesOf(paused)).toEqual({ charge_date: '2027-05-02', period_end_date: '2027-02-27' });
  expect(nextAction(paused)).toMatchObject({ do: 'charge', at: startOfDay('2027-05-02') + billingOffset(ID) });
  expect(daysOf(paused, '2027-02-05', 3)).toEqual(['2027-05-02', '2027-06-02', '2027-07-02']);
  const paid = answer(prepare(paused, noon('2027-05-02')), noon('2027-05-02'));
  expect([paid.is_paused, paid.resume_date, datesOf(paid).charge_date]).toEqual([false, null, '2027-06-02']);
});

it('a declined charge on the resumption leaves it past due, with its retries', () => {
  const resumed = resume(pause(paidOn('2027-01-31'), '2027-02-05'), '2027-04-10');
  const declined = answer(prepare(resumed, noon('2027-04-10')), noon('2027-04-10'), 'declined');
  expect(declined).toMatchObject({ status: 'past_due', retries_left: 1, is_paused: false });
});

it('waits for a charge in progress: paid, it begins after that period; unpaid, it is dropped with the last retry', () => {
  const opened = pause(prepare(paidOn('2027-01-31'), noon('2027-02-28')), '2027-02-28');
  expect(pauseStart(opened)).toBe('2027-03-31');
  const paid = answer(opened, noon('2027-02-28'));
  expect(paid).toMatchObject({ status: 'active', due_at: NEVER });
  expect(pauseStart(paid)).toBe('2027-03-31');
  const declined = answer(opened, noon('2027-02-28'), 'declined');
  expect([declined.status, declined.is_paused, pauseStart(declined)]).toEqual(['past_due', true, '2027-03-31']);
  const late = answer(prepare(declined, noon('2027-03-01')), noon('2027-03-01'));
  expect(late).toMatchObject({ status: 'active', due_at: NEVER });
  const unpaid = answer(prepare(declined, noon('2027-03-01')), noon('2027-03-01'), 'declined');
  expect([unpaid.status, unpaid.is_paused]).toEqual(['unpaid', false]);
  const notMade = answer(opened, noon('2027-02-28'), 'not_made');
  expect(notMade.due_at).toBe(NEVER);
  expect(pauseStart(notMade)).toBe('2027-02-28');
});

it('ends with a scheduled end of the subscription', () => {
  const ending = transition(paidOn('2027-01-31'), {
    type: 'change',
    at: noon('2027-02-01'),
    cancel_at_period_end: true,
  });
  const paused = pause(ending, '2027-02-02', '2027-09-01');
  expect(nextAction(paused)).toMatchObject({ do: 'cancel', at: startOfDay('2027-02-28') + billingOffset(ID) });
  expect(transition(paused, { type: 'cancel', reason: 'period_ended' })).toMatchObject({
    is_paused: false,
    resume_date: null,
  });
});

it('is refused while a period is unpaid, and for a resumption before the end of the paid period', () => {
  const active = paidOn('2027-01-31');
  expect(refusedChange(active, { pause: { resume_date: '2027-02-27' } }, noon('2027-02-01'))).toBe(
    'resumed_before_period_end',
  );
  expect(refusedChange(active, { pause: { resume_date: '2027-02-28' } }, noon('2027-02-01'))).toBeUndefined();
  expect(refusedChange(active, { resume: 'r' }, noon('2027-02-01'))).toBe('not_paused');
  const declined = answer(prepare(active, noon('2027-02-28')), noon('2027-02-28'), 'declined');
  expect(refusedChange(declined, { pause: { resume_date: null } }, noon('2027-02-28'))).toBe('pause_while_unpaid');
});

it('in any history, a paused subscription opens a period only on its day of resumption or later', () => {
  let opened = 0;
  inAnyHistory(({ charges }) => {
    for (const { kind, before, at, period } of charges) {
      if (kind === 'change' || !before.is_paused || period <= before.current_period_number) continue;
      opened += 1;
      expect(before.resume_date).not.toBeNull();
      expect(dayOf(at) >= (before.resume_date ?? '')).toBe(true);
      expect(dayOf(at) >= pauseStart(before)).toBe(true);
    }
  });
  expect(opened).toBeGreaterThan(20);
});

it('in any history, a pause that is withdrawn before it begins changes nothing', () => {
  inAnyHistory(({ states }) => {
    for (const state of states) {
      const at = startOfDay(pauseStart(state)) - 1;
      // A new subscription is invisible until its first charge is answered.
      if (state.status === 'new' || state.is_paused || refusedChange(state, { pause: { resume_date: null } }, at))
        continue;
      const paused = transition(state, { type: 'change', at, pause: { resume_date: null } });
      const withdrawn = transition(paused, { type: 'change', at, resume: 'r' });
      expect(nextAction(withdrawn).do).toBe(nextAction(state).do);
      if (state.status === 'active' && !state.open) expect(withdrawn).toEqual(state);
    }
  });
});
