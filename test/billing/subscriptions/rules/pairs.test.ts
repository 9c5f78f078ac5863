/**
 * Every two operations at the same time, also between the beginning of a charge and its outcome: the final state is that of
 * one order, or one operation is refused.
 */
import { initialState, nextAction, transition } from '../../../../src/billing/subscriptions/rules/billing';
import { chargedNow, refusedReplacement, replacementOf } from '../../../../src/billing/subscriptions/rules/changes';
import { refusedChange } from '../../../../src/billing/subscriptions/rules/requests';
import type {
  AttemptOutcome,
  BillingState,
  Discount,
  PlanTerms,
  SubscriptionChange,
} from '../../../../src/billing/subscriptions/rules/state';
import { addDays, DAY_MS, type Day, dayOf, startOfDay } from '../../../../workflows/calendar';
import { PLAN } from '../../../harness/merchant/randomSubscriptions';

const noon = (day: Day): number => startOfDay(day) + 12 * 3_600_000;
const MONTHLY: PlanTerms = {
  ...PLAN,
  repeat_every: 1,
  repeat_unit: 'month',
  retry_times: 2,
  retry_schedule: 'daily',
  status_after_retry: 'unpaid',
};
const WEEKLY: PlanTerms = { ...MONTHLY, plan_id: 'p2', amount: 15_000_01n, repeat_unit: 'week' };
const YEARLY: PlanTerms = { ...MONTHLY, plan_id: 'p3', amount: 500_000_00n, repeat_unit: 'year' };
const coupon = (id: string, periods_left: number | null): Discount => ({
  ...{ coupon_id: id, code: id, percent_off: 3_333, amount_off: null, periods_left },
});

/** `id` is that of its charge. */
type Part = (state: BillingState, at: number, id: string) => BillingState | 'refused';
type Operation = Part[];

const request =
  (asked: SubscriptionChange | ((at: number) => SubscriptionChange)): Part =>
  (state, at) => {
    const change = typeof asked === 'function' ? asked(at) : asked;
    return refusedChange(state, change, at) ? 'refused' : transition(state, { type: 'change', at, ...change });
  };

const prepare: Part = (state, at, transaction_id) => {
  const action = nextAction(state);
  if (action.do === 'cover' && action.at <= at) return transition(state, { type: 'covered', at });
  if (action.do !== 'charge' || action.at > at) return 'refused';
  return transition(state, { type: 'prepared', realTime: at, attempt: action.attempt, transaction_id });
};

const replace =
  (terms: PlanTerms, has_trial = false): Part =>
  (state, at, transaction_id) => {
    const asked = { terms, quantity: 3, at, credits: true, returned: 0n, has_trial };
    if (refusedReplacement(state, asked)) return 'refused';
    const replacement = replacementOf(state, asked);
    if (chargedNow(state, replacement) === 0n) return transition(state, { type: 'replaced', ...replacement });
    const attempt = { period: state.current_period_number + 1, attempt: 1, free: true };
    return transition(state, { type: 'prepared', realTime: at, attempt, transaction_id, replacement });
  };

/** The process that began it may have been killed: then another one finds the outcome. */
const answered =
  (outcome: AttemptOutcome): Part =>
  (state, at, id) =>
    state.open?.transaction_id === id
      ? transition(state, { type: 'answered', at, outcome, decline: { error_code: 3003 } })
      : state;
const silence: Part = (state, at, id) =>
  state.open?.transaction_id === id ? transition(state, { type: 'unanswered', realTime: at }) : state;

const operations: Record<string, Operation> = {
  'renewal paid': [prepare, answered('paid')],
  'renewal declined': [prepare, answered('declined')],
  'renewal not made': [prepare, answered('not_made')],
  'renewal unknown, then paid': [prepare, silence, answered('paid')],
  'change paid': [replace(YEARLY), answered('paid')],
  'change declined': [replace(YEARLY), answered('declined')],
  'change unknown, then reversed': [replace(YEARLY), silence, answered('not_made')],
  'change killed, then reversed': [replace(YEARLY), answered('not_made')],
  'change that continues a trial': [replace(WEEKLY, true), answered('paid')],
  'change to a cheap plan': [replace({ ...WEEKLY, amount: 1n })],
  cancellation: [
    state =>
      state.status === 'cancelled' ? 'refused' : transition(state, { type: 'cancel', reason: 'cancelled_by_merchant' }),
  ],
  'card change': [request({ card_id: 'k2' })],
  'retry on request': [request({ retry: 'r' })],
  'trial change': [request(at => ({ trial_end_date: addDays(dayOf(at), 12) }))],
  'end of the trial': [request(at => ({ trial_end_date: addDays(dayOf(at), -1) }))],
  pause: [request({ pause: { resume_date: null } })],
  'pause until a day': [request(at => ({ pause: { resume_date: addDays(dayOf(at), 50) } }))],
  resume: [request({ resume: 'r' })],
  'planned change': [request({ planned: { terms: WEEKLY, quantity: 2 } })],
  'withdrawn change': [request({ planned: null })],
  coupon: [request({ coupon: coupon('NEW', 2) })],
  'removed coupon': [request({ coupon: null })],
  extra: [request({ extra: { id: 'x9', description: 'Extra', amount: 7_00n } })],
  courtesy: [request({ extra: { id: 'x8', description: 'Courtesy', amount: -60_000_00n } })],
  'removed extra': [request({ removed_extra: 'x1' })],
  'end of the period': [request({ cancel_at_period_end: true })],
};

const after = (state: BillingState, at: number, ...parts: Part[]): BillingState =>
  parts.reduce((present, part) => {
    const next = part(present, at, 't');
    if (next === 'refused') throw new Error('refused');
    return next;
  }, state);
const START = noon('2027-01-31');
const trial = initialState('s1', MONTHLY, 'k1', START, '2027-02-09');
const active = after(initialState('s1', MONTHLY, 'k1', START, '2027-01-01'), START, prepare, answered('paid'));
const priced = after(
  active,
  START,
  request({ coupon: coupon('OLD', 1) }),
  request({ extra: { id: 'x1', description: 'Extra', amount: 5_000_00n } }),
  request({ extra: { id: 'x2', description: 'Courtesy', amount: -1_000_00n } }),
  request({ planned: { terms: { ...WEEKLY, amount: 60_000_00n }, quantity: 2 } }),
);
const credited = after(priced, noon('2027-02-03'), replace({ ...WEEKLY, amount: 1n }));
const due = noon('2027-02-28');
const declined = after(active, due, prepare, answered('declined'));
const pausedUntil = after(active, START, request({ pause: { resume_date: '2027-03-15' } }));

const situations: Record<string, [BillingState, number]> = {
  'in a trial': [trial, noon('2027-02-04')],
  'after a trial': [trial, noon('2027-02-10')],
  'within a period': [active, noon('2027-02-10')],
  'on the first day of a period': [active, START],
  'on the last day of a period': [active, noon('2027-02-27')],
  'when a renewal is due': [active, due],
  'when a renewal with all kinds of amounts is due': [priced, due],
  'with credit': [credited, noon('2027-02-05')],
  'when a renewal with credit is due': [credited, noon('2027-02-10')],
  'past due': [declined, due],
  'past due on the day of a retry': [declined, due + DAY_MS],
  'past due with all kinds of amounts': [after(priced, due, prepare, answered('declined')), due + DAY_MS],
  'before a pause': [pausedUntil, noon('2027-02-10')],
  'in a pause': [pausedUntil, noon('2027-03-05')],
  'at the end of a pause': [pausedUntil, noon('2027-03-15')],
  'before the end': [after(active, START, request({ cancel_at_period_end: true })), noon('2027-02-10')],
};

/** All ways to merge the parts of two operations, as lists of whose turn it is. */
function merges(first: number, second: number): ('a' | 'b')[][] {
  if (first === 0 || second === 0) return [[...Array<'a'>(first).fill('a'), ...Array<'b'>(second).fill('b')]];
  return [
    ...merges(first - 1, second).map(rest => ['a' as const, ...rest]),
    ...merges(first, second - 1).map(rest => ['b' as const, ...rest]),
  ];
}

function run([from, at]: [BillingState, number], a: Operation, b: Operation, turns: ('a' | 'b')[]) {
  let state = from;
  const left = { a: [...a], b: [...b] };
  const refused = { a: false, b: false };
  for (const turn of turns) {
    const next = refused[turn] ? state : left[turn].shift()?.(state, at, turn);
    if (next === 'refused') refused[turn] = true;
    else if (next) state = next;
  }
  return { state, refused };
}

/** The next charge of an ended subscription does not matter. */
const comparable = ({ due_at, retries_left, ...state }: BillingState): string =>
  JSON.stringify(state.status === 'cancelled' ? state : { ...state, due_at, retries_left }, (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  );

/** A pause that was requested during a charge waits for it, also if it is declined. */
const withPauseOf = (state: BillingState, { is_paused, resume_date }: BillingState): BillingState => ({
  ...state,
  is_paused,
  resume_date,
});

it.each(Object.keys(situations))('%s, any two operations at once end like one after the other', name => {
  const situation = situations[name] as [BillingState, number];
  const wrong: string[] = [];
  for (const [nameA, a] of Object.entries(operations))
    for (const [nameB, b] of Object.entries(operations)) {
      const as = a.map(() => 'a' as const);
      const bs = b.map(() => 'b' as const);
      const serial = [run(situation, a, b, [...as, ...bs]), run(situation, a, b, [...bs, ...as])].map(
        each => each.state,
      );
      for (const turns of merges(a.length, b.length)) {
        const { state, refused } = run(situation, a, b, turns);
        const allowed = [
          ...serial,
          ...(refused.a ? [run(situation, [], b, bs).state] : []),
          ...(refused.b ? [run(situation, a, [], as).state] : []),
        ];
        const isAllowed = (each: BillingState) =>
          comparable(state.status === 'past_due' ? withPauseOf(each, state) : each) === comparable(state);
        if (!allowed.some(isAllowed)) wrong.push(`${nameA}, ${nameB}: ${turns.join('')}`);
      }
    }
  expect(wrong).toEqual([]);
});
