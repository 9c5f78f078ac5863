/** Rules for charges apply when a subscription begins; rules for renewals apply later. */
import { chargePeriod } from '../../../src/billing/subscriptions/billing/attempt';
import { nextActionOf } from '../../../src/billing/subscriptions/billing/snapshot';
import { reloadSubscription } from '../../../src/billing/subscriptions/rows';
import { visa } from '../../harness/cards/testCards';
import { eventually, until } from '../../harness/flow/until';
import { testBackground } from '../../harness/merchant/background';
import { testBilling } from '../../harness/merchant/subscriptions';
import { errorOf } from '../../harness/servers/api';

const billing = testBilling();
const { api, shop } = billing;
const background = testBackground(api);
const everything = { kind: 'amount', scope: 'transaction', amount: 1 };

/** The worker receives a changed rule a moment later, so this waits until a renewal of another subscription shows it. */
const untilRenewalsAre = (expected: string) =>
  eventually(async () => {
    const other = await billing.subscribe('2041-01-10', { plan: { trial_days: 0, retry_times: 1 } });
    expect(await other.diary('2041-02-10')).toContain(expected);
  });

it('rules for charges refuse a new subscription, which is then not created, and do not refuse renewals', async () => {
  const subscription = await billing.subscribe('2041-01-10', { plan: { trial_days: 0 } });
  const { body: rule } = await shop.post('/fraud_rules', { name: 'all_charges', ...everything });
  const customer = await shop.newCustomer({ requires_account: false });
  const card = await shop.newCard(`/customers/${customer}/cards`);
  const plan_id = await shop.newPlan();
  const before = api.acquirer.journal().length;
  const subscribe = (source_id: string) =>
    shop.post(`/customers/${customer}/subscriptions`, { plan_id, source_id }, { 'idempotency-key': `of ${source_id}` });
  const refused = await subscribe(card);
  expect(refused).toMatchObject({ status: 402, body: { error_code: 3005, fraud_rules: ['all_charges'] } });
  // Simulates a process that crashed before it responded.
  const interrupted = { status: null, body: null, lease_until: new Date(0) };
  await api.database.db().idempotentReply.updateMany({ where: { key: `of ${card}` }, data: interrupted });
  expect((await subscribe(card)).body).toMatchObject({ error_code: 3005, fraud_rules: ['all_charges'] });
  expect((await api.rest('GET', `/customers/${customer}/subscriptions`)).body).toEqual([]);
  const [kept] = (await api.rest('GET', `/customers/${customer}/charges`)).body;
  expect(kept).toMatchObject({ status: 'failed', error_code: 3005, fraud_rules: ['all_charges'] });
  expect(await shop.eventsOf(kept.id)).toEqual(['charge.failed']);
  expect(api.acquirer.journal()).toHaveLength(before);
  expect(await subscription.diary('2041-02-11')).toContain('active 2');
  await api.rest('DELETE', `/fraud_rules/${rule.id}`);
  // The same card after the rule was deleted.
  const again = await shop.post(`/customers/${customer}/subscriptions`, { plan_id, source_id: card });
  expect(again.body.status).toBe('active');
});

it('a rule for renewals declines renewals, with the retries of the plan, and declines no charges', async () => {
  const subscription = await billing.subscribe('2041-01-10', { plan: { trial_days: 0, retry_times: 1 } });
  const { body: rule } = await shop.post('/fraud_rules', {
    name: 'no_renewals',
    applies_to: 'renewals',
    ...everything,
  });
  await untilRenewalsAre('past_due 2');
  const before = api.acquirer.journal().length;
  expect(await subscription.diary('2041-02-10')).toContain('past_due 2');
  expect((await subscription.charges()).at(-1)).toMatchObject({
    error_code: 3005,
    fraud_rules: ['no_renewals'],
    status: 'failed',
  });
  // A reversal stops any late request for this charge at the acquirer.
  const [reversal, ...others] = api.acquirer.journal().slice(before);
  expect([reversal?.operation, others]).toEqual(['reverse', []]);
  await shop.newCharge(await shop.newCard());
  await api.rest('DELETE', `/fraud_rules/${rule.id}`);
  await untilRenewalsAre('active 2');
  expect(await subscription.diary('2041-02-12')).toContain('active 2');
});

it('a new card of a subscription is verified with the rules for charges', async () => {
  const subscription = await billing.subscribe('2041-01-10', { plan: { trial_days: 0 } });
  const values = ['424242XXXXXX4242'];
  const { body: rule } = await shop.post('/fraud_rules', {
    name: 'blocked_card',
    kind: 'blocked',
    scope: 'card',
    values,
  });
  const card = { ...visa, card_number: '4242424242424242' };
  const answer = await api.rest('PUT', subscription.path, { body: { card } });
  expect([errorOf(answer), answer.body.fraud_rules]).toEqual([3005, ['blocked_card']]);
  await api.rest('DELETE', `/fraud_rules/${rule.id}`);
  expect((await api.rest('PUT', subscription.path, { body: { card } })).status).toBe(200);
});

it('a retry that the rules for charges refuse is not sent and changes nothing', async () => {
  const plan = { trial_days: 0, retry_times: 20 };
  const subscription = await billing.subscribe('2041-01-10', { card: '4000000000000341', plan });
  const parameters = { kind: 'declines', scope: 'card', max: 5, minutes: 43_200 };
  const { body: rule } = await shop.post('/fraud_rules', { name: 'five_declines', ...parameters });
  const retry = () => shop.post(`${subscription.path}/retry`, {});
  const before = (await subscription.journal()).length;
  const answers = [];
  for (let i = 0; i < 31; i++) answers.push(await retry());
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(answers.at(-1)).toMatchObject({ status: 429, body: { error_code: 1011, fraud_rules: ['five_declines'] } });
  expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await subscription.journal()).toHaveLength(before + 5);
  const { status, retries_left } = await subscription.read();
  expect([status, retries_left, (await subscription.charges()).length]).toEqual(['past_due', 20, before + 5]);
  await api.rest('DELETE', `/fraud_rules/${rule.id}`);
  const values = ['400000XXXXXX0341'];
  const blocked = { name: 'blocked_here', kind: 'blocked', scope: 'card', values, applies_to: 'both' };
  const { body: block } = await shop.post('/fraud_rules', blocked);
  expect((await retry()).body).toMatchObject({ error_code: 3005, fraud_rules: ['blocked_here'] });
  expect(await subscription.journal()).toHaveLength(before + 5);
  await api.rest('DELETE', `/fraud_rules/${block.id}`);
  expect((await retry()).status).toBe(200);
});

describe('a rule that is created while the acquirer has not responded', () => {
  it.each([
    ['timeout_after_charge', { status: 'completed' }, ['charge']],
    ['timeout', { status: 'failed', error_code: 3005 }, ['reverse']],
  ] as const)('leaves the charge to the outcome at the acquirer: %s', async (outcome, expected, operations) => {
    const subscription = await billing.subscribe('2041-01-10', { plan: { trial_days: 0 } });
    const { card } = await subscription.read();
    await shop.script(card.id, outcome);
    const before = (await subscription.journal()).length;
    // The move of the clock waits for the acquirer, which has not responded.
    const move = billing.moveClock('2041-02-11', { subscription_id: subscription.id });
    await until(async () => api.acquirer.hasTimedOut(card.id) || (await subscription.journal()).length > before);
    expect([(await subscription.read()).status, (await subscription.charges()).length]).toEqual(['active', 2]);
    const { body: rule } = await shop.post('/fraud_rules', {
      name: 'too_late',
      applies_to: 'renewals',
      ...everything,
    });
    expect((await move).status).toBe(200);
    expect((await subscription.charges()).at(-1)).toMatchObject(expected);
    // The rule may also have refused a first retry by now.
    const made = (await subscription.journal()).slice(before).map(({ operation }) => operation);
    expect([...new Set(made)]).toEqual(operations);
    await api.rest('DELETE', `/fraud_rules/${rule.id}`);
  });
});

it('a renewal that another process has sent is paid, although a rule in this process would refuse it', async () => {
  const subscription = await billing.subscribe('2041-01-10', { plan: { trial_days: 1 } });
  const db = api.database.db();
  const row = await reloadSubscription(db, subscription.id);
  const next = nextActionOf(row);
  if (next.do !== 'charge') throw new Error(next.do);
  const acquirer = background.acquirer().forMerchant(row.merchant_id);
  const screen = async (_: unknown, send: () => Promise<unknown>) => {
    await send();
    return { approved: false, kind: 'fraud', fraud_rules: ['here'] };
  };
  const step = await chargePeriod({ db, acquirer, fraud: { screen } as never }, row, next.attempt, next.at);
  expect(step?.row).toMatchObject({ status: 'active', current_period_number: 1 });
  expect(await subscription.charges()).toMatchObject([{ status: 'completed' }]);
});

it('a card from a refused country is not saved, once the acquirer has returned its country', async () => {
  const { body: rule } = await shop.post('/fraud_rules', {
    name: 'none_from_here',
    kind: 'country',
    condition: 'in',
    countries: ['CO'],
  });
  const refused = await shop.post('/cards', { ...visa, card_number: '4111111111111111' });
  expect(refused.body).toMatchObject({ error_code: 3005, fraud_rules: ['none_from_here'] });
  expect((await shop.post('/cards', visa)).status).toBe(201);
  await api.rest('DELETE', `/fraud_rules/${rule.id}`);
  const { body: saved } = await shop.post('/cards', { ...visa, card_number: '4111111111111111' });
  await shop.post('/fraud_rules', { name: 'none_from_here', kind: 'country', condition: 'in', countries: ['CO'] });
  const charge = { ...shop.charge, source_id: saved.id, customer: shop.payer };
  expect((await shop.post('/charges', charge)).body).toMatchObject({ fraud_rules: ['none_from_here'] });
});
