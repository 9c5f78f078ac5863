/** A payer pays a due period once, at a bank, in a store or with a card that is not kept. */
import { NOTIFICATIONS } from '../../../src/api/notifications/route';
import { sign } from '../../../src/gateway/acquirer/signature';
import { pay, press, testPayers } from '../../harness/browser/payers';
import { eventually } from '../../harness/flow/until';
import { payerPages } from '../../harness/merchant/payerPages';
import { testBilling, trimDiary } from '../../harness/merchant/subscriptions';
import { secrets } from '../../harness/world/secrets';

const billing = testBilling({ trustedProxies: ['127.0.0.1'] });
const { api, shop } = billing;
const payers = testPayers(api);
const { linkTo, pageOf, submit, submitCard } = payerPages(billing);
const DECLINES = '4000000000000341';
const ANOTHER = '5555555555554444';

async function pastDue(plan: object = {}) {
  const subscription = await billing.subscribe('2040-01-10', { card: DECLINES, plan: { retry_times: 5, ...plan } });
  expect(subscription.created.status).toMatch(/past_due|unpaid/);
  return { subscription, url: await linkTo(subscription) };
}
type PastDue = Awaited<ReturnType<typeof pastDue>>;

async function begin({ subscription, url }: PastDue, method: string): Promise<string> {
  expect((await submit(url, 'pay', { method })).status).toBeLessThan(400);
  const { waiting_for, transaction_id } = await subscription.read();
  expect(waiting_for).toBe('payment');
  return transaction_id;
}
const decide = (id: string, outcome = 'approved') => shop.post(`/sandbox/charges/${id}/pay`, { outcome });
const cardCharges = async ({ subscription }: PastDue): Promise<number> =>
  (await subscription.journal()).filter(({ operation }) => operation === 'charge').length;
const notify = (notification: object): Promise<Response> => {
  const body = JSON.stringify(notification);
  const headers = { signature: sign(secrets.ACQUIRER_KEY, body) };
  return fetch(`${api.origin()}${NOTIFICATIONS}`, { method: 'POST', headers, body });
};

it('pays in a store, on a phone, while the retries wait', async () => {
  const due = await pastDue();
  const page = await payers.open(due.url);
  await page.getByRole('link', { name: 'Pagar de otra forma' }).click();
  await page.getByLabel('Efectivo en un punto de pago').check();
  await press(page);
  expect(page.url()).toContain('/vouchers/');
  const { transaction_id, waiting_for } = await due.subscription.read();
  expect(waiting_for).toBe('payment');
  await page.goto(due.url);
  expect(await page.textContent('.note')).toContain('Esperamos tu pago en efectivo.');
  await due.subscription.moveTo('2040-01-12');
  expect(await cardCharges(due)).toBe(1);
  expect((await due.subscription.details()).join()).toContain('waiting for payment');
  expect((await decide(transaction_id)).status).toBe(200);
  await due.subscription.becomes({ status: 'active', current_period_number: 1, charge_date: '2040-02-10' });
  await page.reload();
  expect(await page.textContent('.chip')).toBe('Al día');
  const { entries, summary } = await due.subscription.history();
  expect(entries.map(({ description }: { description: string }) => description)).toEqual([
    'The subscription was created.',
    expect.stringContaining('declined'),
    'The payer began to pay period 1 (Cash). Retries wait until 2040-01-13 at the latest.',
    'The payer paid period 1 (Cash).',
  ]);
  expect(summary).toContain('Active, period 1');
});

it('retries once after a voucher that was not paid', async () => {
  const due = await pastDue();
  await begin(due, 'store');
  expect(await due.subscription.diary('2040-01-12', '2040-01-13', '2040-01-14')).toBe(
    trimDiary(`2040-01-12 | past_due 1 | next 2040-02-10 | retry 2040-01-11, 5 left
      2040-01-13 | past_due 1 | next 2040-02-10 | retry 2040-01-14, 4 left | declined 3001
      2040-01-14 | past_due 1 | next 2040-02-10 | retry 2040-01-15, 3 left | declined 3001`),
  );
  expect(await due.subscription.lines()).toEqual(
    ['created', 'declined', 'payment_requested', 'payment_ended', 'declined', 'declined'].slice(0, 6),
  );
});

it('pays by PSE, and the bank refuses the first attempt', async () => {
  const due = await pastDue();
  const refused = await begin(due, 'bank_account');
  await decide(refused, 'REJECTED');
  expect((await pageOf(due.url)).text).toContain('Pagar de otra forma');
  expect(await due.subscription.lines()).toEqual(['created', 'declined', 'payment_requested', 'payment_ended']);
  expect(await shop.eventsOf(refused)).toEqual(['charge.created', 'charge.failed']);
  await decide(await begin(due, 'bank_account'));
  await due.subscription.becomes({ status: 'active' });
  expect(await cardCharges(due)).toBe(1);
});

it.each(['bank_account', 'bre_b'])('credits the account of the customer by %s, as the renewal does', async method => {
  const customer_id = await shop.newCustomer();
  const source_id = await shop.newCard(`/customers/${customer_id}/cards`, DECLINES);
  const plan_id = await shop.newPlan();
  const { body } = await shop.post(`/customers/${customer_id}/subscriptions`, { plan_id, source_id });
  const subscription = { ...billing.subscriptionCalls(customer_id, body.id), card_id: source_id, created: body };
  await decide(await begin({ subscription, url: await linkTo(subscription) }, method));
  await subscription.becomes({ status: 'active' });
  expect(await shop.customerBalance(customer_id)).toBe(49900);
});

it('pays with a card that is not kept, in the browser', async () => {
  const due = await pastDue({ retry_times: 0 });
  const page = await payers.open(`${due.url}/pay`);
  await page.getByLabel('Otra tarjeta, solo esta vez').check();
  await press(page);
  await pay(page, { card_number: ANOTHER });
  // The way back is in a cookie: the payment, which read-only keys see, does not tell the link.
  await page.waitForURL(/\/s\//);
  const { id } = (await due.subscription.charges())[0];
  expect(await api.database.db().transaction.findUnique({ where: { id } })).toMatchObject({ redirect_url: null });
  await due.subscription.becomes({ status: 'active', card: { card_number: '400000XXXXXX0341' } });
  expect(await page.textContent('.chip')).toBe('Al día');
});

it('begins one payment by fifty forms at once', async () => {
  const due = await pastDue();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => submit(due.url, 'pay', { method: i % 2 ? 'store' : 'bank_account' })),
  );
  expect(Math.max(...answers.map(({ status }) => status))).toBeLessThan(400);
  const pending = (await due.subscription.charges()).filter(({ status }: { status: string }) => status !== 'failed');
  expect(pending).toHaveLength(1);
  expect((await due.subscription.read()).transaction_id).toBe(pending[0].id);
});

describe('a voucher that is open', () => {
  it('gives way to another card, unless it was paid', async () => {
    const due = await pastDue();
    const voucher = await begin(due, 'store');
    const source_id = await shop.newCard(`/customers/${due.subscription.customer_id}/cards`, ANOTHER);
    expect((await due.subscription.put({ source_id })).status).toBe(200);
    expect(await due.subscription.read()).toMatchObject({ status: 'active', card: { brand: 'mastercard' } });
    expect((await api.rest('GET', `/charges/${voucher}`)).body.status).toBe('cancelled');
    expect(await cardCharges(due)).toBe(2);
    const { transaction_id } = await due.subscription.read();
    expect((await shop.post(`/charges/${transaction_id}/refund`, {})).status).toBe(200);
    // A withdrawn payment of the period is not taken for the refunded charge, whose days are not credited.
    const change = { quantity: 2, when: 'now', credit: true };
    expect((await due.subscription.preview({ change })).credit).toBe(0);
  });

  it('is withdrawn for another method', async () => {
    const due = await pastDue();
    const voucher = await begin(due, 'store');
    expect((await submit(due.url, 'other')).headers.get('location')).toContain('/pay');
    expect((await api.rest('GET', `/charges/${voucher}`)).body.status).toBe('cancelled');
    const transfer = await begin(due, 'bank_account');
    expect((await submitCard(due.url, { card_number: ANOTHER })).status).toBe(303);
    await due.subscription.becomes({ status: 'active' });
    expect((await api.rest('GET', `/charges/${transfer}`)).body.status).toBe('cancelled');
  });

  it('is withdrawn when the subscription is cancelled', async () => {
    const due = await pastDue();
    const voucher = await begin(due, 'store');
    await due.subscription.remove();
    await eventually(async () => expect((await payers.read(voucher)).status).toBe('cancelled'));
    expect(await due.subscription.lines()).toContain('payment_ended');
  });
});

it('credits a payment that arrives when nothing is due', async () => {
  const due = await pastDue();
  const voucher = await begin(due, 'store');
  await submitCard(due.url, { card_number: ANOTHER });
  await due.subscription.becomes({ status: 'active' });
  const late = { type: 'payment', key: voucher, outcome: 'approved', authorization: '123456' };
  const answers = await Promise.all(Array.from({ length: 10 }, () => notify(late)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
  await due.subscription.becomes({ credit_balance: 49900 });
  expect((await notify(late)).status).toBe(204);
  expect((await due.subscription.lines()).filter(line => line === 'payment_credited')).toHaveLength(1);
  expect(await shop.eventsOf(due.subscription.id)).toContain('subscription.payment.credited');
  expect((await shop.post(`/charges/${voucher}/refund`, {})).body.error_code).toBe(3006);
  await due.subscription.moveTo('2040-02-10');
  expect(await due.subscription.read()).toMatchObject({ status: 'active', current_period_number: 2 });
  expect(await cardCharges(due)).toBe(2);
});

it('pays the period by a payment that arrives late, if the period is still due', async () => {
  const due = await pastDue();
  const voucher = await begin(due, 'store');
  await submit(due.url, 'other');
  expect((await due.subscription.read()).waiting_for).toBeUndefined();
  expect((await notify({ type: 'payment', key: voucher, outcome: 'approved' })).status).toBe(204);
  await due.subscription.becomes({ status: 'active', current_period_number: 1 });
  expect((await due.subscription.read()).credit_balance).toBeUndefined();
  expect(await cardCharges(due)).toBe(1);
});

it('has half an hour for another payment before the retry that waited', async () => {
  const due = await pastDue();
  await begin(due, 'store');
  await due.subscription.moveTo('2040-01-12');
  await submit(due.url, 'other');
  expect((await pageOf(`${due.url}/pay`)).text).toContain('Bre-B');
  expect(await cardCharges(due)).toBe(1);
  await due.subscription.moveTo('2040-01-13');
  expect(await cardCharges(due)).toBe(2);
});

it('offers nothing where nothing is due, and no method that cannot be used', async () => {
  const active = await billing.subscribe('2040-01-10');
  const url = await linkTo(active);
  expect((await submit(url, 'pay', { method: 'store' })).headers.get('location')).not.toContain('vouchers');
  expect((await pageOf(url)).text).not.toContain('Pagar de otra forma');
  const due = await pastDue({ amount: 100.5 });
  expect((await pageOf(`${due.url}/pay`)).text).not.toContain('PSE');
  expect((await submit(due.url, 'pay', { method: 'bank_account' })).status).toBe(303);
  expect((await due.subscription.read()).waiting_for).toBeUndefined();
});
