/** Prices and charges of subscriptions, day by day. */
import { initialState, nextAction, transition } from '../../../../src/billing/subscriptions/rules/billing';
import { chargedNow, refusedReplacement, replacementOf } from '../../../../src/billing/subscriptions/rules/changes';
import { amountOf } from '../../../../src/billing/subscriptions/rules/invoices';
import { refusedChange } from '../../../../src/billing/subscriptions/rules/requests';
import type {
  BillingState,
  Discount,
  PlanTerms,
  SubscriptionChange,
} from '../../../../src/billing/subscriptions/rules/state';
import { DAY_MS, type Day, dayOf, startOfDay } from '../../../../workflows/calendar';
import { PLAN } from '../../../harness/merchant/randomSubscriptions';

const noon = (day: Day): number => startOfDay(day) + 12 * 3_600_000;
const pesos = (amount: bigint): string => (Number(amount) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
const plan = (amount: bigint, repeat_unit: 'week' | 'month' | 'year'): PlanTerms => ({
  ...PLAN,
  ...{ plan_id: `${repeat_unit} ${amount}`, amount: amount * 100n, repeat_every: 1, repeat_unit },
  ...{ retry_times: 2, retry_schedule: 'daily', status_after_retry: 'cancelled' },
});
const coupon = (percent: number, periods_left: number | null): Discount => ({
  ...{ coupon_id: 'c1', code: 'HOLA', percent_off: percent * 100, amount_off: null, periods_left },
});

class Diary {
  readonly lines: string[] = [];
  state: BillingState;
  private now: number;

  constructor(terms: PlanTerms, day: Day, trial_end_date: Day, first: { discount?: Discount } = {}) {
    this.now = noon(day);
    this.state = initialState('s1', terms, 'k1', this.now, trial_end_date, first);
  }
  private write(what: string): void {
    const { credit_balance } = this.state;
    const credit = credit_balance > 0n ? `, credit ${pesos(credit_balance)}` : '';
    this.lines.push(`${dayOf(this.now)} ${what}${credit}`);
  }

  /** Bills what is due until noon of this day. */
  until(day: Day, outcome: 'paid' | 'declined' = 'paid'): this {
    for (;;) {
      const action = nextAction(this.state);
      if (action.do === 'nothing' || action.at > noon(day)) break;
      this.now = Math.max(this.now, action.at);
      if (action.do === 'cover') {
        this.state = transition(this.state, { type: 'covered', at: this.now });
        this.write(`period ${action.period} covered`);
      } else if (action.do === 'charge') {
        const { attempt } = action;
        this.state = transition(this.state, { type: 'prepared', realTime: this.now, attempt, transaction_id: 't' });
        const amount = amountOf(this.state, attempt.period);
        const decline = { error_code: 3003 };
        this.state = transition(this.state, { type: 'answered', at: this.now, outcome, decline });
        this.write(`period ${attempt.period} ${outcome} ${pesos(amount)}`);
      } else throw new Error(action.do);
    }
    this.now = noon(day);
    return this;
  }

  /** Asks for a change on this day. */
  on(day: Day, change: SubscriptionChange): this {
    this.until(day);
    const refused = refusedChange(this.state, change, this.now);
    if (refused) this.write(refused);
    this.state = transition(this.state, { type: 'change', at: this.now, ...change });
    return this;
  }

  /** Changes the plan at once. */
  change(
    day: Day,
    terms: PlanTerms,
    quantity = 1,
    { returned = 0n, outcome = 'paid' as 'paid' | 'declined' } = {},
  ): this {
    this.until(day);
    const asked = { terms, quantity, at: this.now, credits: true, returned, has_trial: false };
    const refused = refusedReplacement(this.state, asked);
    if (refused) return this.refuse(refused);
    const replacement = replacementOf(this.state, asked);
    const amount = chargedNow(this.state, replacement);
    if (amount === 0n) this.state = transition(this.state, { type: 'replaced', ...replacement });
    else {
      const attempt = { period: this.state.current_period_number + 1, attempt: 1, free: true };
      const prepared = { realTime: this.now, attempt, transaction_id: 't', replacement };
      this.state = transition(this.state, { type: 'prepared', ...prepared });
      this.state = transition(this.state, { type: 'answered', at: this.now, outcome });
    }
    this.write(`change ${amount === 0n ? 'covered' : `${outcome} ${pesos(amount)}`}`);
    return this;
  }
  private refuse(reason: string): this {
    this.write(reason);
    return this;
  }
  cancel(day: Day): this {
    this.until(day);
    this.state = transition(this.state, { type: 'cancel', reason: 'cancelled_by_merchant' });
    this.write('cancelled');
    return this;
  }
}
const extra = (id: string, amount: bigint): SubscriptionChange => ({
  extra: { id, description: 'Extra', amount: amount * 100n },
});

it('a shop that grows: half of the first month, a year, two seats instead, extras, and a declined card', () => {
  const diary = new Diary(plan(30_000n, 'month'), '2027-01-31', '2027-01-01', { discount: coupon(50, 1) })
    .until('2027-01-31')
    // 18 of 28 days of 15,000 are left.
    .change('2027-02-10', plan(300_000n, 'year'), 1, { outcome: 'declined' })
    .change('2027-02-10', plan(300_000n, 'year'))
    // On the same day the year was not used at all.
    .change('2027-02-10', plan(30_000n, 'month'), 2)
    .until('2027-03-10')
    .on('2027-03-15', extra('x1', 200_000n))
    .until('2027-04-09')
    .until('2027-04-10', 'declined')
    // The amount is fixed since the period opened.
    .on('2027-04-10', extra('x2', 1_000n))
    .change('2027-04-10', plan(30_000n, 'month'))
    .on('2027-04-10', { planned: { terms: plan(10_000n, 'week'), quantity: 1 } })
    .until('2027-05-17');
  expect(diary.lines).toEqual([
    '2027-01-31 period 1 paid 15,000.00',
    '2027-02-10 change declined 290,357.14',
    '2027-02-10 change paid 290,357.14',
    '2027-02-10 change covered, credit 240,000.00',
    '2027-03-10 period 4 covered, credit 180,000.00',
    '2027-04-10 period 5 declined 80,000.00',
    '2027-04-10 change_while_unpaid',
    '2027-04-11 period 5 paid 80,000.00',
    '2027-05-10 period 6 paid 11,000.00',
    '2027-05-17 period 7 paid 10,000.00',
  ]);
});

it('a guest: a trial that a change ends, a courtesy, a pause, a refund, and a credit that is returned', () => {
  const diary = new Diary(plan(20_000n, 'month'), '2027-01-20', '2027-02-10')
    .on('2027-01-25', extra('x1', -70_000n))
    .on('2027-01-25', { coupon: coupon(25, null) })
    // The trial ends now; the courtesy covers the weeks.
    .change('2027-02-01', plan(40_000n, 'week'))
    .on('2027-02-02', { pause: { resume_date: null } })
    .on('2027-02-02', { planned: { terms: plan(100_000n, 'month'), quantity: 1 } })
    .change('2027-03-05', plan(20_000n, 'month'))
    .on('2027-03-10', { resume: 'r' })
    .until('2027-03-10')
    // The whole charge was refunded: what the courtesy covered remains credit.
    .change('2027-03-20', plan(40_000n, 'month'), 1, { returned: 35_000_00n })
    .change('2027-04-19', plan(1_000n, 'week'))
    .cancel('2027-04-20')
    .on('2027-04-20', { clears_credit: true })
    .on('2027-04-20', { clears_credit: true });
  expect(diary.lines).toEqual([
    '2027-02-01 change covered',
    '2027-03-05 change_while_paused',
    '2027-03-10 period 2 paid 35,000.00',
    '2027-03-20 change paid 2,903.23',
    '2027-04-19 change covered, credit 217.74',
    '2027-04-20 cancelled, credit 217.74',
    '2027-04-20 no_credit_owed',
  ]);
});

it('an ended subscription keeps the credit of its unpaid period', () => {
  const diary = new Diary(plan(100_000n, 'month'), '2027-01-15', '2027-01-01')
    .change('2027-01-15', plan(80_000n, 'month'))
    .until('2027-02-14')
    .change('2027-02-14', plan(1_000n, 'week'))
    .on('2027-02-15', { planned: { terms: plan(90_000n, 'month'), quantity: 1 } })
    .until('2027-02-20')
    .until('2027-03-01', 'declined');
  expect(diary.state).toMatchObject({ status: 'cancelled', reason: 'retries_exhausted' });
  expect(diary.lines).toEqual([
    '2027-01-15 period 1 paid 100,000.00',
    '2027-01-15 change covered, credit 20,000.00',
    '2027-02-14 change covered, credit 21,580.65',
    '2027-02-21 period 4 declined 68,419.35',
    '2027-02-22 period 4 declined 68,419.35',
    '2027-02-23 period 4 declined 68,419.35, credit 21,580.65',
  ]);
});

it('the last day of a period is one unused day, and no day is left when the renewal is due', () => {
  const first = new Diary(plan(28_000n, 'month'), '2027-02-01', '2027-01-01').until('2027-02-01');
  expect(first.change('2027-02-28', plan(50_000n, 'month')).lines.at(-1)).toBe('2027-02-28 change paid 49,000.00');
  const due = new Diary(plan(28_000n, 'month'), '2027-02-01', '2027-01-01').until('2027-02-01');
  const asked = { terms: plan(50_000n, 'month'), quantity: 1, credits: true, returned: 0n, has_trial: false };
  expect(replacementOf(due.state, { ...asked, at: startOfDay('2027-03-01') }).credit).toBe(0n);
  expect(replacementOf(due.state, { ...asked, at: startOfDay('2027-03-01') - 1 }).credit).toBe(1_000_00n);
  expect(replacementOf(due.state, { ...asked, at: noon('2027-02-28') + DAY_MS * 40 }).credit).toBe(0n);
});

it('no charge can exceed the largest amount, also not after a planned change is withdrawn', () => {
  const large = plan(9_000_000_000_000n, 'month');
  const diary = new Diary(large, '2027-02-01', '2027-01-01')
    .on('2027-02-01', { planned: { terms: large, quantity: 2 } })
    .on('2027-02-01', extra('x1', 2_000_000_000_000n))
    .on('2027-02-01', { planned: { terms: plan(1n, 'month'), quantity: 1 } })
    .on('2027-02-01', extra('x2', 2_000_000_000_000n))
    .on('2027-02-01', { planned: null })
    .change('2027-02-01', { ...large, plan_id: 'other' })
    .on('2027-02-01', { removed_extra: 'x2' })
    .on('2027-02-01', { planned: null });
  expect(diary.lines).toEqual([
    '2027-02-01 period 1 paid 9,000,000,000,000.00',
    '2027-02-01 amount_too_large',
    '2027-02-01 amount_too_large',
    '2027-02-01 amount_too_large',
    '2027-02-01 amount_too_large',
  ]);
});

it('a period takes 100 extras, and one that was billed or removed cannot be removed again', () => {
  const diary = new Diary(plan(10_000n, 'month'), '2027-02-01', '2027-01-01').until('2027-02-01');
  for (let i = 1; i <= 100; i++) diary.on('2027-02-02', extra(`x${i}`, 10n));
  diary
    .on('2027-02-02', extra('x101', 10n))
    .on('2027-02-02', { removed_extra: 'x7' })
    .on('2027-02-02', { removed_extra: 'x7' })
    .until('2027-03-01')
    .on('2027-03-01', { removed_extra: 'x1' });
  expect(diary.lines.slice(1)).toEqual([
    '2027-02-02 too_many_extras',
    '2027-02-02 no_extra',
    '2027-03-01 period 2 paid 10,990.00',
    '2027-03-01 no_extra',
  ]);
});
