/** Every operation at the acquirer, with a fault at each of its calls to the database and to the acquirer. */
import pino from 'pino';
import { subscriptionActivities } from '../../../src/billing/subscriptions/billing/activities';
import { makeLookupDue } from '../../../src/billing/subscriptions/operating/rows';
import { beginPeriodPayment } from '../../../src/billing/subscriptions/payments/begin';
import { SubscriptionPriceResolver } from '../../../src/billing/subscriptions/pricing/resolver';
import { SubscriptionResolver } from '../../../src/billing/subscriptions/resolver';
import { reloadSubscription } from '../../../src/billing/subscriptions/rows';
import { requestRetry } from '../../../src/billing/subscriptions/update';
import type { Acquirers } from '../../../src/gateway/acquirer/acquirers';
import type { HttpAcquirer } from '../../../src/gateway/acquirer/client';
import { DeclineLimits } from '../../../src/gateway/declines';
import { FraudScreening } from '../../../src/gateway/fraud/screening';
import { type ACQUIRER_OPERATIONS, operationOf } from '../../../src/operations/acquirerOperations';
import { recover } from '../../../src/operations/background/recovery';
import { parseCard } from '../../../src/payments/cardDetails/details';
import { expiryActivities } from '../../../src/payments/charges/expiry';
import { payByCard } from '../../../src/payments/charges/pending/payByCard';
import { ChargeResolver } from '../../../src/payments/charges/resolver';
import { findTransactions, reloadTransaction } from '../../../src/payments/charges/rows';
import { payoutActivities } from '../../../src/payments/payouts/send';
import type { Database } from '../../../src/platform/database/connection';
import { idsFrom, newId } from '../../../src/platform/identifiers';
import { Buckets } from '../../../src/platform/limits/buckets';
import type { Context } from '../../../src/schema/operation/context';
import { visa } from '../../harness/cards/testCards';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { type Fault, faultyServices } from '../../harness/flow/faults';
import { testBackground } from '../../harness/merchant/background';
import { testCharges } from '../../harness/merchant/charges';
import { bookDifferences } from '../../harness/servers/damage';
import { vault } from '../../harness/world/secrets';

const { api, shop, db, newCharge } = testCharges({ ownWorld: true });
const background = testBackground(api);
const charges = new ChargeResolver();
let card = '';
let declines: DeclineLimits;
beforeAll(async () => {
  card = await shop.newCard();
  await api.rest('PUT', '', {
    body: { bank_account: { bank: 'Bancolombia', type: 'savings', number: '12345678901' } },
  });
  const buckets = new Buckets(db());
  atTheEnd(() => buckets.close());
  declines = new DeclineLimits(db(), buckets, 1_000_000);
});

interface Process {
  context: Context;
  acquirers: Acquirers;
}

function startProcess(services: { db: Database; acquirer: HttpAcquirer }, seed: string): Process {
  const { id: merchant_id } = api.merchants().own;
  const { acquirer } = services;
  const fraud = new FraudScreening(services.db, vault, { rulesOf: async () => [], forget: () => undefined });
  const system = { actor: { kind: 'system', id: null }, rights: {}, environment: 'sandbox', publicUrl: api.origin() };
  const caller = { ...system, yieldSlotWhile: (work: () => Promise<unknown>) => work() };
  const context = { ...services, ...caller, merchant_id, vault, fraud, declines, newId: idsFrom(Buffer.from(seed)) };
  const forMerchant = () => acquirer;
  return { context: context as unknown as Context, acquirers: { sandbox: { forMerchant } as never } };
}

/** Prepares an operation and returns its function, which can be called again as a repeated request. */
type Flow = () => Promise<(process: Process) => Promise<unknown>>;

const amount = 1_000_000n;
const authorize = (): Promise<string> => newCharge({ capture: false });
const expire = async (id: string) => {
  await db().transaction.update({ where: { id }, data: { expires_at: new Date(0) } });
  return ({ context, acquirers }: Process) => expiryActivities(context.db, acquirers).expire(id);
};
const create = (body: object) => async () => (process: Process) =>
  charges.createCharge(process.context, { ...body, amount } as never);
const newSubscription = async (plan: object) => {
  const customer_id = await shop.newCustomer({ requires_account: false });
  const source_id = await shop.newCard(`/customers/${customer_id}/cards`);
  return { customer_id, input: { source_id, plan_id: await shop.newPlan(plan) } };
};

/** A new definition does not compile without a flow here. */
const flows: Record<keyof typeof ACQUIRER_OPERATIONS, Record<string, Flow>> = {
  cardCharge: {
    'a charge': async () => create({ ...shop.charge, source_id: card, customer: shop.payer })(),
    'an authorization': async () => create({ ...shop.charge, source_id: card, customer: shop.payer, capture: false })(),
  },
  capture: {
    'a capture': async () => {
      const id = await authorize();
      return ({ context }) => charges.captureCharge(context, id, {});
    },
  },
  cancellation: {
    'a cancellation': async () => {
      const id = await authorize();
      return ({ context }) => charges.refundCharge(context, id, {});
    },
  },
  expiry: {
    'an authorization that expires': async () => expire(await authorize()),
    'a voucher that expires': async () => expire((await shop.post('/charges', shop.store)).body.id),
    "a payer's payment of a period, and the retry in its place": async () => {
      const { customer_id, input } = await newSubscription({});
      await shop.script(input.source_id, 3001);
      const { id } = (await shop.post(`/customers/${customer_id}/subscriptions`, input)).body;
      const acquirer = background.acquirer().forMerchant(api.merchants().own.id);
      const { context } = startProcess({ db: db(), acquirer }, id);
      await beginPeriodPayment(context, await reloadSubscription(db(), id), 'store');
      await requestRetry(context, await reloadSubscription(db(), id), newId('event'));
      return async ({ context: { db, fraud }, acquirers }) => {
        const { askAcquirer } = subscriptionActivities(db, acquirers, fraud);
        await askAcquirer(id);
        await askAcquirer(id);
      };
    },
  },
  refund: {
    'a refund': async () => {
      const id = await newCharge();
      return ({ context }) => charges.refundCharge(context, id, { amount });
    },
  },
  pageAttempt: {
    'a payment on a page': async () => {
      const row = await reloadTransaction(db(), (await shop.post('/charges', shop.redirect)).body.id);
      const typed = parseCard(visa, 'sandbox', new Date());
      const payer = { address: '127.0.0.1', device_session_id: null, installments: 1 };
      return ({ context }) => payByCard(context, row, 0, typed, payer);
    },
  },
  issue: {
    'a voucher': () => create(shop.store)(),
    'a bank payment': () => create({ ...shop.store, method: 'bank_account', customer: shop.pse.customer })(),
  },
  firstCharge: {
    'a subscription without a trial': async () => {
      const { customer_id, input } = await newSubscription({});
      return ({ context }) => new SubscriptionResolver().createSubscription(context, customer_id, input as never);
    },
  },
  renewal: {
    'a renewal': async () => {
      const { customer_id, input } = await newSubscription({ trial_days: 5 });
      const { id } = (await shop.post(`/customers/${customer_id}/subscriptions`, input)).body;
      await db().subscription.update({ where: { id }, data: { due_at: new Date(Date.now() - 60_000) } });
      return ({ context, acquirers }) => subscriptionActivities(context.db, acquirers, context.fraud).charge(id);
    },
    'a change of plan now': async () => {
      const { customer_id, input } = await newSubscription({});
      const { id } = (await shop.post(`/customers/${customer_id}/subscriptions`, input)).body;
      const change = { quantity: 3, when: 'now', credit: true } as const;
      return ({ context }) => new SubscriptionPriceResolver().changeSubscription(context, id, change);
    },
  },
  payout: {
    'a payout': async () => {
      await shop.settle();
      const { id } = (await shop.post('/payouts', { amount: 1000 })).body;
      return ({ context, acquirers }) => payoutActivities(context.db, acquirers).sendPayout(id);
    },
  },
};

const underWay = () => findTransactions(db(), { where: { progress: { notIn: ['settled', 'authorized', 'pending'] } } });

/** Runs recovery and the workflows once. */
async function recoverOnce({ context, acquirers }: Process): Promise<void> {
  const log = pino({ level: 'silent' });
  for (const row of await underWay()) {
    const recoveredBy = operationOf(row)?.definition.recoveredBy;
    if (recoveredBy === 'payout workflow') await payoutActivities(context.db, acquirers).sendPayout(row.id);
    if (recoveredBy !== 'subscription workflow') continue;
    const subscription = await reloadSubscription(db(), row.subscription_id ?? '');
    await db().$transaction(tx => makeLookupDue(tx, subscription, row.id));
    await subscriptionActivities(context.db, acquirers, context.fraud).askAcquirer(subscription.id);
  }
  await db().transaction.updateMany({ where: { lease_until: { not: null } }, data: { lease_until: new Date(0) } });
  while ((await recover(context.db, acquirers, log)) > 0);
}

/** The acquirer's money movements since the start, except reversed ones. */
function movesSince(count: number): string[] {
  const journal = api.acquirer.journal();
  const reversed = new Set(journal.filter(({ operation }) => operation === 'reverse').map(({ key }) => key));
  return journal
    .slice(count)
    .filter(({ operation, outcome, key }) => operation !== 'verify' && outcome === 'approved' && !reversed.has(key))
    .map(({ operation }) => operation);
}

async function expectNothingUnderWay(): Promise<void> {
  expect(await underWay()).toEqual([]);
  expect(await db().subscription.count({ where: { status: 'new' } })).toBe(0);
}

/** Returns false if the process finished before the call that was to fail. */
async function failAt(flow: Flow, fault: Fault, isInRecovery: boolean): Promise<boolean> {
  const run = await flow();
  const count = api.acquirer.journal().length;
  const seed = newId('page');
  const healthy = { db: db(), acquirer: background.acquirer().forMerchant(api.merchants().own.id) };
  const faulty = (its: Fault) => faultyServices(healthy.db, healthy.acquirer, its);
  const first = faulty(isInRecovery ? { ...fault, at: 'acquirer', process: 'dies' } : fault);
  const second = faulty(isInRecovery ? fault : { ...fault, at: -1 });
  await run(startProcess(first, seed)).catch(() => undefined);
  await recoverOnce(startProcess(second, seed)).catch(() => undefined);
  await recoverOnce(startProcess(healthy, seed));
  await expectNothingUnderWay();
  await first.deliver();
  await second.deliver();
  expect(movesSince(count).length).toBeLessThanOrEqual(1);
  await run(startProcess(healthy, seed));
  await expectNothingUnderWay();
  expect(movesSince(count).length).toBeLessThanOrEqual(1);
  return (isInRecovery ? second : first).hasFailed();
}

const cases = Object.values(flows).flatMap(byName => Object.entries(byName));

/** For a process that continues, the response of a late call is lost too. */
const faults = [
  { call: 'late', process: 'continues' },
  { call: 'done', process: 'continues' },
  { call: 'late', process: 'dies' },
  { call: 'lost', process: 'dies' },
  { call: 'done', process: 'dies' },
] as const;

describe.each(cases)('%s is executed once or not at all', (_, flow) => {
  it.each(faults)('if a call is $call and the process $process', async how => {
    for (const isInRecovery of [false, true]) {
      let at = 0;
      while (await failAt(flow, { ...how, at }, isInRecovery)) at += 1;
      if (!isInRecovery) expect(at).toBeGreaterThan(2);
    }
  });

  it('the books and the journal of the acquirer agree', async () => {
    expect(await bookDifferences(api)).toEqual([]);
  });
});
