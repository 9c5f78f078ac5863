/** Property tests of billing: the rules hold after every random sequence of actions. */
import { initialState, nextAction, transition } from '../../../../src/billing/subscriptions/rules/billing';
import { datesOf } from '../../../../src/billing/subscriptions/rules/periods';
import { refusedChange } from '../../../../src/billing/subscriptions/rules/requests';
import type { BillingState, PlanTerms } from '../../../../src/billing/subscriptions/rules/state';
import { addDays, billingOffset, DAY_MS, dayOf, startOfDay } from '../../../../workflows/calendar';
import { type Charge, inAnyHistory, PLAN } from '../../../harness/merchant/randomSubscriptions';

const monthly: PlanTerms = {
  ...PLAN,
  repeat_every: 1,
  repeat_unit: 'month',
  retry_times: 1,
  retry_schedule: 'daily',
  status_after_retry: 'unpaid',
};

describe('in any history of a subscription', () => {
  it('no period is paid twice or skipped, and no charge is made while another charge of its period may succeed', () => {
    inAnyHistory(({ charges }) => {
      const paid = charges.filter(({ outcome }) => outcome === 'paid').map(({ period }) => period);
      expect(paid).toEqual(paid.map((_, i) => i + 1));
      charges.forEach(({ period }, i) => {
        const before = charges.slice(0, i);
        expect(before.every(({ outcome }) => outcome !== undefined)).toBe(true);
        expect(period).toBe(before.filter(({ outcome }) => outcome === 'paid').length + 1);
      });
    });
  });

  it('no charge comes before its billing day, which is computed from the first one', () => {
    inAnyHistory(({ charges }) => {
      // An attempt that was never made does not count: the trial may have been extended since.
      for (const { at, opens } of charges.filter(({ outcome }) => outcome !== 'not_made'))
        expect(at).toBeGreaterThanOrEqual(opens);
    });
  });

  it('a period has at most retry_times retries, not counting new cards, and never two in one day', () => {
    inAnyHistory(({ charges }, { retry_times }) => {
      const declined = new Map<number, Charge[]>();
      for (const charge of charges.filter(({ outcome, free }) => outcome === 'declined' && !free))
        declined.set(charge.period, [...(declined.get(charge.period) ?? []), charge]);
      for (const tries of declined.values()) {
        expect(tries.length).toBeLessThanOrEqual(retry_times + 1);
        expect(new Set(tries.map(({ at }) => dayOf(at))).size).toBe(tries.length);
      }
    });
  });

  it('a refused card is not charged again before another card or the advised time', () => {
    inAnyHistory(({ states }) => {
      for (const s of states.filter(({ card_refusal, open }) => card_refusal && !open)) {
        const todo = nextAction(s);
        if (todo.do === 'charge') expect(todo.at).toBeGreaterThanOrEqual(s.card_refusal?.until ?? Infinity);
      }
    });
  });

  it('a cancelled subscription has a reason, stays cancelled, and is never charged', () => {
    inAnyHistory(({ states }) => {
      const end = states.findIndex(({ status }) => status === 'cancelled');
      if (end < 0) return;
      const [first, ...after] = states.slice(end) as [BillingState, ...BillingState[]];
      expect(first.reason).not.toBeNull();
      for (const later of after) {
        expect([later.status, later.reason]).toEqual(['cancelled', first.reason]);
        expect(later.open === null || later.open.transaction_id === first.open?.transaction_id).toBe(true);
      }
    });
  });

  it('an attempt is resent only while the subscription is not cancelled and has the same card', () => {
    inAnyHistory(({ sentAgain }) => {
      for (const { status, open, card_id } of sentAgain)
        expect([status === 'cancelled', open?.card_id]).toEqual([false, card_id]);
    });
  });

  it('a new card is charged at most once for each change, and its decline uses up no retry', () => {
    inAnyHistory(({ charges, states, cards }) => {
      expect(charges.filter(({ free, kind }) => free && kind === 'renewal').length).toBeLessThanOrEqual(cards);
      states.slice(1).forEach((after, i) => {
        const before = states[i];
        if (before?.open?.free && !after.open && after.status === 'past_due') {
          const due_at = Math.max(before.due_at, after.card_refusal?.until ?? 0);
          expect([after.retries_left, after.due_at]).toEqual([before.retries_left, due_at]);
        }
      });
    });
  });

  it('with cancel_at_period_end there is no renewal on or after that day, and retries continue until then', () => {
    inAnyHistory(({ states }) => {
      for (const s of states.filter(each => each.cancel_at_period_end && !each.open && each.status !== 'cancelled')) {
        const todo = nextAction(s);
        const end = startOfDay(addDays(datesOf(s).period_end_date, 1)) + billingOffset(s.id);
        if (todo.do === 'charge' && !todo.attempt.free) expect(todo.at).toBeLessThan(end);
        if (s.status === 'past_due' && !s.try_now && s.due_at < end) expect(todo.do).toMatch(/charge|skip/);
      }
    });
  });

  it('status follows only the allowed transitions', () => {
    const ways: Record<string, string[]> = {
      new: ['active', 'past_due', 'unpaid', 'cancelled'],
      trial: ['active', 'past_due', 'unpaid', 'cancelled'],
      active: ['past_due', 'unpaid', 'cancelled'],
      past_due: ['active', 'unpaid', 'cancelled'],
      unpaid: ['active', 'cancelled'],
      cancelled: [],
    };
    inAnyHistory(({ states }) => {
      states.slice(1).forEach(({ status }, i) => {
        const before = states[i]?.status ?? '';
        if (status !== before) expect(ways[before]).toContain(status);
      });
    });
  });

  it('retries_left, charge_date and period_end_date are consistent', () => {
    inAnyHistory(({ states }, { retry_times }) => {
      for (const s of states) {
        const { charge_date, period_end_date } = datesOf(s);
        const isResumedLater = s.is_paused && (s.resume_date ?? '') > addDays(period_end_date, 1);
        expect(charge_date).toBe(isResumedLater ? s.resume_date : addDays(period_end_date, 1));
        if (
          !isResumedLater &&
          s.status === 'trial' &&
          !s.open &&
          s.first_charge_day > s.trial_end_date &&
          period_end_date >= s.trial_end_date
        )
          expect(charge_date).toBe(s.first_charge_day);
        if (s.status === 'past_due' && !s.try_now && !s.open) expect(s.retries_left).toBeGreaterThan(0);
        expect(s.retries_left).toBeLessThanOrEqual(retry_times);
      }
    });
  });

  it('an unpaid subscription has at least a week, until its next billing day', () => {
    inAnyHistory(({ states }) => {
      states.slice(1).forEach((s, i) => {
        if (s.status !== 'unpaid' || states[i]?.status === 'unpaid') return;
        expect(s.due_at).toBeGreaterThanOrEqual(startOfDay(datesOf(s).charge_date) + billingOffset(s.id));
        expect(s.due_at - (states[i]?.due_at ?? 0)).toBeGreaterThanOrEqual(7 * DAY_MS);
      });
    });
  });
});

describe('a new end of a trial', () => {
  const at = Date.parse('2027-01-31T05:00:01Z');
  const trial = initialState('s1', monthly, 'k', at, '2027-02-20');

  it('before today ends the trial now: the charge is due at once, and that day is the billing anchor', () => {
    expect(transition(trial, { type: 'change', at, trial_end_date: '2027-01-15' })).toMatchObject({
      trial_end_date: '2027-01-15',
      first_charge_day: '2027-01-31',
      due_at: at,
    });
  });

  it('today ends the trial tonight: the charge is due tomorrow', () => {
    expect(transition(trial, { type: 'change', at, trial_end_date: '2027-01-31' })).toMatchObject({
      trial_end_date: '2027-01-31',
      first_charge_day: '2027-02-01',
      due_at: startOfDay('2027-02-01') + billingOffset('s1'),
    });
  });
});

describe('an invalid change', () => {
  it('is refused and changes nothing', () => {
    const s = initialState('s1', monthly, 'k', 0, '1969-12-31');
    const over = transition(s, { type: 'cancel', reason: 'cancelled_by_merchant' });
    expect(refusedChange(over, {}, 0)).toMatch(/cancelled/);
    expect(transition(over, { type: 'change', at: 0, cancel_at_period_end: true })).toBe(over);
    const paid = transition(
      transition(s, {
        type: 'prepared',
        realTime: 0,
        attempt: { period: 1, attempt: 1, free: false },
        transaction_id: 't',
      }),
      {
        type: 'answered',
        at: 0,
        outcome: 'paid',
      },
    );
    expect(refusedChange(paid, { trial_end_date: '1970-02-01' }, 0)).toMatch(/trial/);
  });
});
