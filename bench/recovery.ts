/**
 * The share of declined renewals that each retry schedule recovers, by the billing rules alone: simulated payers whose
 * balances follow paydays. The model was fixed before the first run; it is an assumption, not a measurement of payers.
 */
import { initialState, nextAction, transition } from '../src/billing/subscriptions/rules/billing';
import { isWorkingDay, paydaysOf } from '../src/billing/subscriptions/rules/paydays';
import type { PlanTerms } from '../src/billing/subscriptions/rules/state';
import { errorCodeOf } from '../src/platform/errors';
import { addDays, type Day, dayOf, startOfDay } from '../workflows/calendar';

const SEED = 20_261_119;
const PAYERS = 10_000;
const YEAR = 2027;

/** Payers by how they are paid: twice a month, on the last payday of the month, or on two random days. */
const PAID_TWICE = 0.55;
const PAID_MONTHLY = 0.3;
/** Employers that pay one to three working days late. */
const LATE = 0.2;
/** Banks that book the pay before the billing window of the payday; the money of other payers is there a day later. */
const BOOKED_OVERNIGHT = 0.35;
/** The price in relation to one pay. */
const PRICE = { min: 0.02, max: 0.15 };
/** The balance falls to a third in this many days after a pay. */
const SPENDING_DAYS = { min: 3, max: 20 };
/** Daily deviation of the balance: a factor between these. */
const DEVIATION = { min: 0.6, max: 1.4 };
/** Attempts that are declined for another reason, independently of the balance. */
const OTHER_DECLINES = 0.02;

const TERMS: Omit<PlanTerms, 'retry_schedule'> = {
  plan_id: 'p1',
  plan_name: 'Monthly',
  plan_iva: null,
  amount: 4_990_000n,
  repeat_every: 1,
  repeat_unit: 'month',
  retry_times: 3,
  status_after_retry: 'unpaid',
};
/** The list waits as long as the paydays, without regard to them. */
export const SCHEDULES: readonly PlanTerms['retry_schedule'][] = ['daily', 'paydays', [7, 14, 21]];
const INSUFFICIENT_FUNDS = errorCodeOf('insufficient_funds');
const OTHER = errorCodeOf('declined');

/** Mulberry32 of a seed and keys, between 0 and 1. */
function random(...keys: number[]): number {
  let state = SEED;
  for (const key of keys) state = Math.imul(state ^ key, 0x9e3779b1) + 0x6d2b79f5;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}
const between = ({ min, max }: { min: number; max: number }, share: number): number => min + (max - min) * share;
const dayNumber = (day: Day): number => Date.parse(day) / 86_400_000;

export interface Payer {
  id: number;
  price: number;
  spendingDays: number;
  chargeDay: number;
  /** Day numbers from which a pay is available, in order. */
  paid: number[];
}

/** The months before and after the year belong to it, so that its first and last charges find a pay. */
export function payerOf(id: number): Payer {
  const kind = random(id, 1);
  const lateDays = random(id, 2) < LATE ? 1 + Math.floor(random(id, 3) * 3) : 0;
  const delay = random(id, 4) < BOOKED_OVERNIGHT ? 0 : 1;
  const paid: number[] = [];
  for (let month = 0; month <= 14; month++) {
    const paydays = kind < PAID_TWICE + PAID_MONTHLY ? paydaysOf(YEAR - 1, month + 12) : randomDays(id, month);
    const own = kind >= PAID_TWICE && kind < PAID_TWICE + PAID_MONTHLY ? paydays.slice(1) : paydays;
    paid.push(...own.map(day => dayNumber(workingDaysAfter(day, lateDays)) + delay));
  }
  return {
    id,
    price: between(PRICE, random(id, 5)),
    spendingDays: between(SPENDING_DAYS, random(id, 6)),
    chargeDay: 1 + Math.floor(random(id, 7) * 28),
    paid,
  };
}

function randomDays(id: number, month: number): Day[] {
  const first = new Date(Date.UTC(YEAR - 1, month + 11, 1)).toISOString().slice(0, 10);
  return [8, 9].map(key => addDays(first, Math.floor(random(id, key, month) * 28))).sort();
}

function workingDaysAfter(day: Day, count: number): Day {
  let after = day;
  for (let left = count; left > 0; ) {
    after = addDays(after, 1);
    if (isWorkingDay(after)) left--;
  }
  return after;
}

/** In relation to one pay. The charge itself is not subtracted, so that both schedules meet the same balance. */
function balanceOn({ id, paid, spendingDays }: Payer, day: number): number {
  let balance = 0;
  for (const at of paid) if (at <= day && at > day - 62) balance += Math.exp((at - day) / (spendingDays / Math.log(3)));
  return balance * between(DEVIATION, random(id, 10, day));
}

export interface CollectedPeriod {
  /** Error code of each attempt; null for the one that was paid. */
  attempts: { day: Day; error_code: number | null }[];
  isPaid: boolean;
  /** From the charge day to the last attempt. */
  days: number;
}

/** Collects one period that is charged on that day. */
export function collect(payer: Payer, day: Day, retry_schedule: PlanTerms['retry_schedule']): CollectedPeriod {
  const trialEnd = addDays(day, -1);
  let state = initialState(`s${payer.id}`, { ...TERMS, retry_schedule }, 'k', startOfDay(trialEnd), trialEnd);
  const attempts: CollectedPeriod['attempts'] = [];
  const daysUntil = (last: Day): number => dayNumber(last) - dayNumber(day);
  for (;;) {
    const action = nextAction(state);
    const today = dayOf(state.due_at);
    if (action.do !== 'charge') return { attempts, isPaid: false, days: daysUntil(today) };
    const error_code = outcomeOn(payer, dayNumber(today));
    attempts.push({ day: today, error_code });
    state = transition(state, { type: 'prepared', realTime: action.at, attempt: action.attempt, transaction_id: 't' });
    const outcome = error_code === null ? 'paid' : 'declined';
    const decline = error_code === null ? undefined : { error_code };
    state = transition(state, { type: 'answered', at: action.at, outcome, decline });
    if (outcome === 'paid') return { attempts, isPaid: true, days: daysUntil(today) };
  }
}

export const isShortOfFunds = ({ attempts }: CollectedPeriod): boolean =>
  attempts[0]?.error_code === INSUFFICIENT_FUNDS;

export const chargeDayIn = ({ chargeDay }: Payer, month: number): Day =>
  new Date(Date.UTC(YEAR, month, chargeDay)).toISOString().slice(0, 10);

function outcomeOn(payer: Payer, day: number): number | null {
  if (random(payer.id, 11, day) < OTHER_DECLINES) return OTHER;
  return balanceOn(payer, day) < payer.price ? INSUFFICIENT_FUNDS : null;
}

interface Recovery {
  schedule: string;
  /** Periods whose first charge was declined for insufficient funds. */
  declined: number;
  /** Share of them that a retry paid. */
  rate: number;
  /** Retries per recovered period, and the days until it was paid. */
  retries: number;
  days: number;
}

export function simulateRecovery(payers = PAYERS): Recovery[] {
  const population = Array.from({ length: payers }, (_, id) => payerOf(id));
  return SCHEDULES.map(retry_schedule => {
    const periods = population.flatMap(payer =>
      Array.from({ length: 12 }, (_, month) => collect(payer, chargeDayIn(payer, month), retry_schedule)),
    );
    const declined = periods.filter(isShortOfFunds);
    const recovered = declined.filter(({ isPaid }) => isPaid);
    const mean = (of: (period: CollectedPeriod) => number): number =>
      recovered.reduce((sum, period) => sum + of(period), 0) / recovered.length;
    return {
      schedule: String(retry_schedule),
      declined: declined.length,
      rate: recovered.length / declined.length,
      retries: mean(({ attempts }) => attempts.length - 1),
      days: mean(({ days }) => days),
    };
  });
}

export function printRecovery(): void {
  console.table(
    simulateRecovery().map(({ schedule, declined, rate, retries, days }) => ({
      retry_schedule: schedule,
      declined,
      recovered: `${(100 * rate).toFixed(1)} %`,
      'retries each': retries.toFixed(2),
      'days each': days.toFixed(1),
    })),
  );
}
