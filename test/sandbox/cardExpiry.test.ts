/** The expiry of a card follows the test clock of the charged customer, so that merchants can test it. */
import { visa } from '../harness/cards/testCards';
import { payOnPage } from '../harness/merchant/merchantCalls';
import { testBilling, trimDiary } from '../harness/merchant/subscriptions';
import { errorOf } from '../harness/servers/api';

const billing = testBilling();
const { api, shop, moveClock } = billing;
const { post } = shop;

/** Valid until the end of February 2040. */
const expiring = { ...visa, expiration_month: '02', expiration_year: '40' };

const customerAt = async (day: string): Promise<string> => {
  const customer_id = await shop.newCustomer({ requires_account: false });
  expect((await moveClock(day, { customer_id })).status).toBe(200);
  return customer_id;
};

it('a subscription is declined with 3002 from the next month on, until the card is replaced', async () => {
  const customer_id = await customerAt('2040-01-10T12:00:00-05:00');
  const { id: source_id } = (await post(`/customers/${customer_id}/cards`, expiring)).body;
  const plan_id = await shop.newPlan();
  const { body } = await post(`/customers/${customer_id}/subscriptions`, { plan_id, source_id });
  const subscription = billing.subscriptionCalls(customer_id, body.id);
  expect(await subscription.diary('2040-02-10', '2040-03-10')).toBe(
    trimDiary(`
      2040-02-10 | active 2 | next 2040-03-10 | paid
      2040-03-10 | past_due 3 | next 2040-04-10 | retry 2040-03-11, 3 left | declined 3002`),
  );
  const renewed = { expiration_month: '02', expiration_year: '45' };
  await api.rest('PUT', `/customers/${customer_id}/cards/${source_id}`, { body: renewed });
  await subscription.becomes({ status: 'active', current_period_number: 3 });
  expect(await subscription.diary('2040-04-10')).toBe('2040-04-10 | active 4 | next 2040-05-10 | paid');
});

describe('a card that has expired by the test clock of its customer', () => {
  it('fails with 2005 when it is saved, renewed or set on a subscription, except at an earlier clock', async () => {
    const customer_id = await customerAt('2040-03-01T12:00:00-05:00');
    const path = `/customers/${customer_id}`;
    expect(errorOf(await post(`${path}/cards`, expiring))).toBe(2005);
    const id = await shop.newCard(`${path}/cards`);
    const { expiration_month, expiration_year } = expiring;
    const changed = await api.rest('PUT', `${path}/cards/${id}`, { body: { expiration_month, expiration_year } });
    expect(errorOf(changed)).toBe(2005);
    const plan_id = await shop.newPlan({ trial_days: 5 });
    expect(errorOf(await post(`${path}/subscriptions`, { plan_id, card: expiring }))).toBe(2005);
    const { body } = await post(`${path}/subscriptions`, { plan_id, source_id: id });
    expect(errorOf(await api.rest('PUT', `${path}/subscriptions/${body.id}`, { body: { card: expiring } }))).toBe(2005);
    expect((await post(`/customers/${await shop.newCustomer()}/cards`, expiring)).status).toBe(201);
    expect((await post('/cards', expiring)).status).toBe(201);
  });

  it('follows the clock of the subscription if that is later', async () => {
    const customer_id = await customerAt('2040-01-10T12:00:00-05:00');
    const plan_id = await shop.newPlan({ trial_days: 90 });
    const source_id = await shop.newCard(`/customers/${customer_id}/cards`);
    const { body } = await post(`/customers/${customer_id}/subscriptions`, { plan_id, source_id });
    expect((await moveClock('2040-03-05', { subscription_id: body.id })).status).toBe(200);
    const path = `/customers/${customer_id}/subscriptions/${body.id}`;
    expect(errorOf(await api.rest('PUT', path, { body: { card: expiring } }))).toBe(2005);
    const other = { ...expiring, card_number: '5555555555554444' };
    expect((await post(`/customers/${customer_id}/cards`, other)).status).toBe(201);
  });

  it('fails with 3002 when its token is charged, saved or used for a subscription; the token expires in real time', async () => {
    const customer_id = await customerAt('2040-03-01T12:00:00-05:00');
    const path = `/customers/${customer_id}`;
    const newToken = async (): Promise<string> => (await post('/tokens', expiring)).body.id;
    const charge = { ...shop.charge, source_id: await newToken() };
    expect(errorOf(await post(`${path}/charges`, charge))).toBe(3002);
    expect(errorOf(await post(`${path}/cards`, { token_id: await newToken(), device_session_id: 'd' }))).toBe(3002);
    const plan_id = await shop.newPlan({ trial_days: 5 });
    expect(errorOf(await post(`${path}/subscriptions`, { plan_id, source_id: await newToken() }))).toBe(3002);
    const paid = await post('/charges', { ...shop.charge, source_id: await newToken(), customer: shop.payer });
    expect(paid.body.status).toBe('completed');
  });

  it('fails with 3002 when the saved card is charged or authorized', async () => {
    const customer_id = await customerAt('2040-02-29T12:00:00-05:00');
    const { id: source_id } = (await post(`/customers/${customer_id}/cards`, expiring)).body;
    const charge = (more: object = {}) =>
      post(`/customers/${customer_id}/charges`, { ...shop.charge, source_id, ...more });
    expect((await charge()).body.status).toBe('completed');
    expect((await moveClock('2040-03-01', { customer_id })).status).toBe(200);
    expect(errorOf(await charge())).toBe(3002);
    expect(errorOf(await charge({ capture: false }))).toBe(3002);
    // A script takes precedence.
    await shop.script(source_id, 'approve');
    expect((await charge()).body.status).toBe('completed');
  });

  it('is refused on a payment page', async () => {
    const customer_id = await customerAt('2040-03-01T12:00:00-05:00');
    const { customer: _, ...redirect } = shop.redirect;
    const { body } = await post(`/customers/${customer_id}/charges`, redirect);
    const page = await payOnPage(body.payment_method.url, { expiration: '02/40' });
    expect(await page.text()).toContain('aria-invalid="true" aria-describedby="expiration-hint"');
    expect((await api.rest('GET', `/charges/${body.id}`)).body.status).toBe('charge_pending');
  });
});
