/** Upcoming charges of many subscriptions, compared with the projection of each; and statistics during changes. */
import fc from 'fast-check';
import { Prisma } from '../../../prisma/generated/client';
import { withInvoice } from '../../../src/billing/subscriptions/rules/invoices';
import { datesOf, isPauseInEffect, pauseStart } from '../../../src/billing/subscriptions/rules/periods';
import { projection } from '../../../src/billing/subscriptions/rules/projection';
import type { BillingState } from '../../../src/billing/subscriptions/rules/state';
import { storedRow } from '../../../src/billing/subscriptions/storedAmounts';
import type { Database } from '../../../src/platform/database/connection';
import { newId } from '../../../src/platform/identifiers';
import { divideHalfUp } from '../../../src/platform/money';
import { countSubscriptions } from '../../../src/reports/stats/subscriptions/rows';
import { projectUpcomingCharges } from '../../../src/reports/stats/upcoming/upcoming';
import { addDays, DAY_MS, dayOf } from '../../../workflows/calendar';
import { randomStep, runSubscription, terms } from '../../harness/merchant/randomSubscriptions';
import { testDatabase } from '../../harness/servers/database';
import { inDatabase } from '../../harness/world/database';

const database = testDatabase();
const merchant_id = 'm0000000000000000001';
const NOW = Date.parse('2027-06-15T17:00:00Z');
const DAYS = Array.from({ length: 60 }, (_, i) => addDays(dayOf(NOW), i));
const SEED = 20270615;

const plans = fc
  .sample(terms, { numRuns: 6, seed: SEED })
  .map(({ plan_id: _, plan_name: __, plan_iva, ...planTerms }, i) => {
    const [id, name, amount] = [`p000000000000000000${i}`, `Plan ${i}`, BigInt(1000 * (i + 1))];
    return {
      terms: { ...planTerms, plan_id: id, plan_name: name, plan_iva, amount },
      row: { ...planTerms, id, merchant_id, creation_date: new Date(NOW), name, amount, trial_days: 0 },
    };
  });

/** Histories that end before or after the current day. Attempts in progress count as attempts of today. */
const subscriptions = fc
  .sample(
    fc.record({
      plan: fc.constantFrom(...plans),
      daysAgo: fc.integer({ min: 0, max: 300 }),
      trial: fc.integer({ min: 0, max: 40 }),
      steps: fc.array(randomStep, { maxLength: 12 }),
    }),
    { numRuns: 400, seed: SEED },
  )
  .map(({ plan, daysAgo, trial, steps }) => {
    const id = newId('subscription');
    const { state } = runSubscription(plan.terms, NOW - daysAgo * DAY_MS, trial, steps, id);
    const try_now = state.status === 'past_due' && state.try_now;
    const withoutPause = state.open && { is_paused: false, resume_date: null };
    return { plan: plan.row, state: { ...state, ...withoutPause, open: null, try_now } };
  })
  .filter(({ state }) => state.status !== 'new');

/** Prices that do not follow from the plan alone, in about half of the subscriptions. */
const prices = fc.sample(
  fc.record({
    quantity: fc.constantFrom(1, 1, 3, 7),
    pending: fc.option(fc.record({ plan: fc.constantFrom(...plans), quantity: fc.integer({ min: 1, max: 4 }) }), {
      freq: 3,
    }),
    credit_balance: fc.constantFrom(0n, 0n, 0n, 0n, 0n, 1500n, 90_000n),
    discount: fc.option(
      fc.record({
        percent: fc.option(fc.integer({ min: 100, max: 10_000 })),
        amount: fc.integer({ min: 1, max: 5000 }),
        periods_left: fc.option(fc.integer({ min: 0, max: 2 })),
      }),
      { freq: 2 },
    ),
    extras: fc.array(
      fc.integer({ min: -3000, max: 3000 }).filter(amount => amount !== 0),
      { maxLength: 1 },
    ),
    has: fc.array(fc.constantFrom('quantity', 'pending', 'credit', 'discount', 'extras', 'invoice'), { maxLength: 2 }),
  }),
  { numRuns: subscriptions.length, seed: SEED },
);

function priced(state: BillingState, i: number): BillingState {
  const price = prices[i];
  if (!price) throw new Error('as many prices as subscriptions');
  const has = (name: (typeof price.has)[number]) => price.has.includes(name);
  const { pending, discount: off } = price;
  const discount = off && {
    coupon_id: 'q0000000000000000001',
    code: 'SEED',
    percent_off: off.percent,
    amount_off: off.percent === null ? BigInt(off.amount) : null,
    periods_left: off.periods_left,
  };
  const isUnpaid = state.status === 'past_due' || state.status === 'unpaid';
  const changed: BillingState = {
    ...state,
    ...(has('quantity') && { quantity: price.quantity }),
    ...(has('credit') && { credit_balance: price.credit_balance }),
    ...(has('discount') && { discount }),
    ...(has('extras') && {
      extras: price.extras.map(amount => ({ id: newId('extra'), description: 'Seats', amount: BigInt(amount) })),
    }),
  };
  // The latest period had these terms too; the next one may be fixed already.
  const period = state.current_period_number + (has('invoice') && !isUnpaid ? 1 : 0);
  const opened = has('invoice') || changed.quantity > 1 ? withInvoice(changed, period) : changed;
  // A period that costs nothing is never unpaid.
  const isOwed = opened.invoice === null || opened.invoice.amount > 0n || !isUnpaid;
  const planned = pending && { terms: pending.plan.terms, quantity: pending.quantity };
  return { ...(isOwed ? opened : { ...state }), ...(has('pending') && { pending_change: planned }) };
}

const subscribed = subscriptions.map(({ plan, state }, i) => ({ plan, state: priced(state, i) }));

const json = (value: unknown) => (value === null ? Prisma.DbNull : (value as Prisma.InputJsonValue));

function toRow(state: BillingState, plan_id: string) {
  const { terms: _, open: __, card_refusal, discount, extras, invoice, ...row } = storedRow(state);
  return {
    ...row,
    card_refusal: json(card_refusal),
    discount: json(discount),
    extras: json(extras),
    invoice: json(invoice),
    due_at: new Date(state.due_at),
    merchant_id,
    customer_id: 'a0000000000000000001',
    card_id: 'k0000000000000000001',
    plan_id,
    holds_card: false,
    creation_date: new Date(NOW),
  };
}

beforeAll(async () => {
  const db = database.db();
  await db.merchant.create({
    data: { id: merchant_id, environment: 'sandbox', name: 'Shop', email: 'shop@example.com' },
  });
  await db.plan.createMany({ data: plans.map(({ row }) => row) });
  await db.customer.create({
    data: { id: 'a0000000000000000001', merchant_id, name: 'Ana', email: 'ana@example.com' },
  });
  const card = { holder_name: 'Ana', card_number: '', expiration_month: '12', expiration_year: '30', brand: 'visa' };
  await db.card.create({ data: { ...card, id: 'k0000000000000000001', merchant_id, status: 'deleted' } });
  await db.coupon.create({
    data: {
      id: 'q0000000000000000001',
      merchant_id,
      creation_date: new Date(NOW),
      code: 'SEED',
      amount_off: 1,
      duration: 'once',
    },
  });
  await db.subscription.createMany({ data: subscribed.map(({ plan, state }) => toRow(state, plan.id)) });
});

it('the days that triggers write equal those of the rules, also of paused and resumed subscriptions', async () => {
  const rows = await database.db().subscription.findMany({ where: { merchant_id } });
  const written = new Map(rows.map(({ id, charge_date, paused_from }) => [id, [charge_date, paused_from]]));
  const states = subscribed.map(({ state }) => state);
  for (const state of states)
    expect(written.get(state.id)).toEqual([datesOf(state).charge_date, state.is_paused ? pauseStart(state) : null]);
  expect(states.filter(({ is_paused }) => is_paused).length).toBeGreaterThan(5);
  expect(states.filter(({ anchor_period }) => anchor_period > 1).length).toBeGreaterThan(0);
});

it('the statistics project for each day the sum of the projections of all subscriptions', async () => {
  const expected = new Map(DAYS.map(day => [day, { day, charges: 0, amount: 0n }]));
  for (const { state } of subscribed) {
    for (const { day, amount } of projection(state, NOW, () => 'paid')) {
      const sums = expected.get(day);
      if (!sums) break;
      if (amount > 0n) sums.charges += 1;
      sums.amount += amount;
    }
  }
  const projected = await projectUpcomingCharges(database.db(), merchant_id, NOW, DAYS);
  expect(projected).toEqual([...expected.values()]);
  expect(projected.filter(({ charges }) => charges > 0).length).toBeGreaterThan(20);
  expect(Math.max(...projected.map(({ charges }) => charges))).toBeGreaterThan(3);
});

it('the MRR is the plan amount times the quantity, less the discount of the next period', async () => {
  const span = { merchant_id, since: new Date(0), until: new Date('2100-01-01') };
  const { total, plans: byPlan } = await countSubscriptions(database.db(), span, dayOf(NOW));
  const yearly = new Map<string, bigint>();
  for (const { plan, state } of subscribed) {
    const isEarning = (state.status === 'active' && !isPauseInEffect(state, NOW)) || state.status === 'past_due';
    if (!isEarning) continue;
    const { pending_change: _, ...present } = state;
    const next = withInvoice({ ...present, pending_change: null, extras: [], credit_balance: 0n }, 0).invoice;
    yearly.set(plan.id, (yearly.get(plan.id) ?? 0n) + (next ? next.amount : plan.amount));
  }
  const perYear = { week: 52n, month: 12n, year: 1n };
  const expected = plans.map(({ row }) => [
    row.id,
    divideHalfUp((yearly.get(row.id) ?? 0n) * perYear[row.repeat_unit], 12n * BigInt(row.repeat_every)),
  ]);
  expect(byPlan.map(({ plan_id, mrr }) => [plan_id, mrr]).sort()).toEqual(expected);
  expect(total.mrr).toBe(byPlan.reduce((sum, { mrr }) => sum + mrr, 0n));
  expect(subscribed.filter(({ state }) => state.discount && state.status === 'active').length).toBeGreaterThan(5);
});

it('the statistics count every subscription once while all of them change', async () => {
  const span = { merchant_id, since: new Date(0), until: new Date('2100-01-01') };
  const read = (db: Database) => countSubscriptions(db, span, dayOf(NOW));
  let isOver = false;
  const change = inDatabase(database.url(), async client => {
    for (let i = 0; !isOver; i++)
      await client.query(
        'update subscriptions set status = $1, is_paused = false, resume_date = null where status <> $2',
        [['trial', 'active', 'past_due', 'unpaid'][i % 4], 'cancelled'],
      );
  });
  try {
    for (let i = 0; i < 30; i++) {
      const { total, plans: byPlan } = await read(database.db());
      const { trial, active, past_due, unpaid, cancelled, paused, new_subscriptions, mrr } = total;
      expect(trial + active + past_due + unpaid + cancelled + paused).toBe(subscribed.length);
      expect(new_subscriptions).toBe(subscribed.length);
      expect(byPlan.reduce((sum, plan) => sum + plan.active, 0)).toBe(active);
      expect(byPlan.reduce((sum, plan) => sum + plan.mrr, 0n)).toBe(mrr);
    }
  } finally {
    isOver = true;
    await change;
  }
});

it('the statistics have the day when a subscription ended, for every cause', async () => {
  const of = (since: Date, until: Date) => countSubscriptions(database.db(), { merchant_id, since, until }, dayOf(NOW));
  const before = await of(new Date(Date.now() - DAY_MS), new Date(Date.now() + DAY_MS));
  await inDatabase(database.url(), client =>
    client.query(`update subscriptions set status = 'cancelled', reason = 'period_ended', is_paused = false,
        resume_date = null where status <> 'cancelled'`),
  );
  const after = await of(new Date(Date.now() - DAY_MS), new Date(Date.now() + DAY_MS));
  const live = ({ total }: typeof before) => total.trial + total.active + total.past_due + total.unpaid;
  expect(after.total.lost_subscriptions - before.total.lost_subscriptions).toBe(live(before));
  expect((await of(new Date(0), new Date(Date.now() - DAY_MS))).total.lost_subscriptions).toBe(0);
});
