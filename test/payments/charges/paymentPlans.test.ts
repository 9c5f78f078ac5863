/** Installments of a card charge, and the data about stored credentials that the acquirer receives. */
import { request } from 'undici';
import { send, typed } from '../../harness/browser/payers';
import { visa } from '../../harness/cards/testCards';
import { testBilling } from '../../harness/merchant/subscriptions';
import { errorOf } from '../../harness/servers/api';

const billing = testBilling({ acquirerTimeoutMs: 60_000 });
const { api, shop } = billing;
const newToken = () => shop.newToken('4242424242424242');
const charge = (body: object) => shop.post('/charges', { ...shop.charge, customer: shop.payer, ...body });

/** The fields of a charge that the acquirer received. */
async function receivedFields(id: string): Promise<object> {
  const { url, key } = api.acquirer.credentials();
  const { body } = await request(`${url}/operations/${id}`, { headers: { authorization: `Bearer ${key}` } });
  return ((await body.json()) as { details: object }).details;
}

describe('payment_plan', () => {
  it('is returned on the charge, in lists and events, and sent to the acquirer', async () => {
    const { body } = await charge({ source_id: await shop.newCard(), payment_plan: { payments: '12' } });
    expect(body.payment_plan).toEqual({ payments: 12 });
    expect((await api.rest('GET', `/charges/${body.id}`)).body.payment_plan).toEqual({ payments: 12 });
    const { body: events } = await api.rest('GET', `/events?object_id=${body.id}`);
    expect(events[0].transaction.payment_plan).toEqual({ payments: 12 });
    expect(await receivedFields(body.id)).toEqual({
      initiated_by: 'customer',
      stored_credential: true,
      installments: 12,
    });
  });

  it('is omitted for one payment', async () => {
    const { body } = await charge({ source_id: await newToken() });
    expect(body).not.toHaveProperty('payment_plan');
    expect(await receivedFields(body.id)).toEqual({
      initiated_by: 'customer',
      stored_credential: false,
      installments: 1,
    });
  });

  it.each([
    [{ payments: 0 }, 1003],
    [{ payments: 37 }, 1003],
    [{ payments: 'doce' }, 1001],
    [{ payments: 1.5 }, 1001],
    [{}, 1001],
    ['12', 1001],
  ])('%j fails with %i', async (payment_plan, code) => {
    expect(errorOf(await charge({ source_id: await shop.newCard(), payment_plan }))).toBe(code);
  });

  it('is allowed only for cards', async () => {
    const body = { ...shop.charge, customer: shop.payer, method: 'store', payment_plan: { payments: 2 } };
    const refused = await shop.post('/charges', body);
    expect(refused.body).toMatchObject({ error_code: 1003, field: 'payment_plan' });
  });

  it('is chosen by the payer where the merchant offers installments, for each attempt', async () => {
    const redirect = { method: 'card', confirm: false, redirect_url: 'https://shop.example/thanks' };
    expect((await api.rest('PUT', '', { body: { max_installments: 12 } })).body).toMatchObject({
      max_installments: 12,
    });
    const { body } = await charge(redirect);
    const { body: fixed } = await charge({ ...redirect, payment_plan: { payments: 3 } });
    await api.rest('PUT', '', { body: { max_installments: 1 } });
    const { url } = body.payment_method;
    const page = await (await fetch(url)).text();
    expect(page.match(/<option value="\d+"/g)).toHaveLength(12);
    expect((await send(url, { ...typed, attempt: '0', installments: '13' })).status).toBe(422);
    await api.acquirer.script(body.id, 3001);
    await send(url, { ...typed, attempt: '0', installments: '6' });
    expect(await (await fetch(url)).text()).toContain('name="installments"');
    await send(url, { ...typed, attempt: '1', installments: '9' });
    expect((await api.rest('GET', `/charges/${body.id}`)).body).toMatchObject({
      status: 'completed',
      payment_plan: { payments: 9 },
    });
    expect(await (await fetch(url)).text()).toMatch(/Cuotas: <strong>9<\/strong>/);
    expect(await receivedFields(`${body.id}-pay-1`)).toMatchObject({ installments: 6 });
    expect(await receivedFields(`${body.id}-pay-2`)).toMatchObject({ installments: 9 });
    expect(await (await fetch(fixed.payment_method.url)).text()).not.toContain('name="installments"');
    const { body: single } = await charge(redirect);
    expect(await (await fetch(single.payment_method.url)).text()).not.toContain('name="installments"');
  });

  it('is shown on the payment page', async () => {
    const redirect = { method: 'card', confirm: false, redirect_url: 'https://shop.example/thanks' };
    const { body } = await charge({ ...redirect, payment_plan: { payments: 6 } });
    const page = await (await fetch(body.payment_method.url)).text();
    expect(page).toMatch(/Cuotas: <strong>6<\/strong>/);
    const { body: single } = await charge(redirect);
    expect(await (await fetch(single.payment_method.url)).text()).not.toContain('Cuotas');
  });
});

describe('the acquirer receives', () => {
  it('customer-initiated first charges and merchant-initiated renewals', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 0 } });
    await subscription.diary('2040-02-10');
    const charges = await subscription.charges();
    const [first, later] = [charges[0], charges.at(-1)];
    expect(await receivedFields(first.id)).toEqual({
      initiated_by: 'customer',
      stored_credential: true,
      series: 'first',
      installments: 1,
    });
    const agreed = { initiated_by: 'merchant', stored_credential: true, installments: 1 };
    expect(await receivedFields(later.id)).toEqual({ ...agreed, series: 'later' });
  });

  it('the first charge after a trial as merchant-initiated and as the first of its series', async () => {
    const subscription = await billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });
    await subscription.diary('2040-01-11');
    const [first] = await subscription.charges();
    const agreed = { initiated_by: 'merchant', stored_credential: true, installments: 1 };
    expect(await receivedFields(first.id)).toEqual({ ...agreed, series: 'first' });
  });
});

describe('the acquirer returns', () => {
  const bancolombia = { type: 'credit', bank_name: 'Bancolombia', bank_code: '007' };

  it('the issuer of a card when it is saved, also from a token', async () => {
    const card = { ...visa, card_number: '4111111111111111' };
    const saved = (await shop.post('/cards', card)).body;
    expect(saved).toMatchObject(bancolombia);
    const token_id = (await shop.post('/tokens', card)).body.id;
    const fromToken = (await shop.post('/cards', { token_id, device_session_id: 'x' })).body;
    expect(fromToken).toMatchObject(bancolombia);
    const rows = await api.database.db().card.findMany({ where: { id: { in: [saved.id, fromToken.id] } } });
    expect(rows.map(({ country }) => country)).toEqual(['CO', 'CO']);
  });

  it('no data about an unknown card, whose data then is null', async () => {
    const { body } = await shop.post('/cards', { ...visa, card_number: '4539578763621486' });
    expect(body).toMatchObject({ type: null, bank_name: null, bank_code: null, allows_payouts: false });
    const { body: charged } = await charge({ source_id: body.id });
    expect(charged.card).toMatchObject({ type: null, bank_name: null, bank_code: null, allows_payouts: false });
  });
});
