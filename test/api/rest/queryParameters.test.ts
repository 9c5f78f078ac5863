/** Filters of lists, and the refusal of unknown filters. */
import { fieldMetadataOf } from '../../../src/api/rest/fieldMetadata';
import { routesOf } from '../../../src/api/rest/routes';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';
import { PATIENCE } from '../../harness/servers/database';

const api = testApi();
const shop = merchantCalls(api);
const get = (path: string) => api.rest('GET', path);
const idsOf = async (path: string): Promise<string[]> => {
  const { status, body } = await get(path);
  expect(status).toBe(200);
  return body.map(({ id }: { id: string }) => id);
};
const { newCustomer } = shop;
const lists = routesOf('sandbox').filter(({ method, field }) => method === 'GET' && fieldMetadataOf(field).isList);

describe('a list', () => {
  let ids: Record<string, string> = {};
  beforeAll(async () => {
    const customer_id = await newCustomer();
    const [plan_id, source_id] = [await shop.newPlan(), await shop.newCard(`/customers/${customer_id}/cards`)];
    const subscription = await shop.post(`/customers/${customer_id}/subscriptions`, { plan_id, source_id });
    const webhook = await shop.post('/webhooks', { url: 'https://example.com/' });
    ids = { customer_id, plan_id, webhook_id: webhook.body.id, subscription_id: subscription.body.id };
  });

  it.each(lists.map(({ path }) => path))('GET %s refuses an unknown filter', async path => {
    const filled = path.replace(/:(\w+)/g, (_, name) => ids[name] ?? name);
    const { status, body } = await get(`${filled}?colour=red&creation[gt]=2040-01-01`);
    expect([status, body.error_code]).toEqual([422, 1003]);
    expect(body.description).toContain('colour, creation[gt]');
    // A search requires its text.
    expect((await get(path === '/search' ? `${filled}?text=red` : filled)).status).toBe(200);
  });
});

it('an error about an unknown filter lists the supported filters', async () => {
  expect((await get('/customers?phone=1')).body.description).toMatch(/creation\[gte\].*external_id, email, name/);
});

it('an unknown resource in the path is reported before an unknown filter', async () => {
  expect(errorOf(await get('/customers/a0000000000000000000/charges?colour=red'))).toBe(1005);
});

it('the query may repeat the customer of the path, but may not name another', async () => {
  const [own, other] = [await newCustomer(), await newCustomer()];
  for (const list of ['cards', 'charges', 'subscriptions']) {
    expect(await idsOf(`/customers/${own}/${list}?customer=${own}`)).toEqual([]);
    expect(errorOf(await get(`/customers/${own}/${list}?customer=${other}`))).toBe(1003);
    expect(errorOf(await get(`/customers/${own}/${list}?customer_id=${other}`))).toBe(1003);
  }
});

it('customers are found by e-mail and by prefix of their name, ignoring letter case', async () => {
  const [ana, anabel] = [
    await newCustomer({ name: 'Ana_Ríos', email: 'ANA@example.com' }),
    await newCustomer({ name: 'anabel' }),
  ];
  expect(await idsOf('/customers?email=ana@Example.com')).toEqual([ana]);
  expect(await idsOf('/customers?name=ANA')).toEqual([anabel, ana]);
  expect(await idsOf('/customers?name=ana_')).toEqual([ana]);
  expect(await idsOf('/customers?name=%25')).toEqual([]);
  expect(await idsOf('/customers?name=abel')).toEqual([]);
  const { body } = await api.graphql('{ customers(name: "ana", first: 1) { edges { node { id } } } }');
  expect(body.data.customers.edges).toEqual([{ node: { id: anabel } }]);
});

it('charges are found by customer, even if deleted, and by subscription', async () => {
  const customer_id = await newCustomer({ requires_account: false });
  const card_id = await shop.newCard(`/customers/${customer_id}/cards`);
  const plan_id = await shop.newPlan();
  const { body } = await shop.post(`/customers/${customer_id}/subscriptions`, { plan_id, source_id: card_id });
  const payment = { ...shop.charge, source_id: card_id };
  const { body: other } = await shop.post(`/customers/${customer_id}/charges`, payment);
  const { id: subscription_id, transaction_id } = body;
  expect(await idsOf(`/charges?subscription_id=${subscription_id}`)).toEqual([transaction_id]);
  expect(await idsOf(`/charges?customer_id=${customer_id}`)).toEqual([other.id, transaction_id]);
  expect(await idsOf(`/charges?customer_id=${await newCustomer()}`)).toEqual([]);
  const { id, private_key } = api.merchants().other;
  const url = `${api.origin()}/v1/${id}/charges?customer_id=${customer_id}`;
  expect((await sendRequest(url, 'GET', { key: private_key })).body).toEqual([]);
  expect((await api.rest('DELETE', `/customers/${customer_id}`)).status).toBe(204);
  expect(await idsOf(`/charges?customer_id=${customer_id}`)).toEqual([other.id, transaction_id]);
  expect(errorOf(await get(`/customers/${customer_id}/charges`))).toBe(1005);
});

it('charges are found by several statuses, by decline code and by amount, over REST and GraphQL', async () => {
  const customer_id = await newCustomer({ requires_account: false });
  const path = `/customers/${customer_id}/charges`;
  const card = await shop.newCard(`/customers/${customer_id}/cards`);
  await shop.script(card, 3001, 3003, 'approve', 'approve');
  for (const amount of [100, 200, 300]) await shop.post(path, { ...shop.charge, source_id: card, amount });
  const { body: reserved } = await shop.post(path, { ...shop.charge, source_id: card, amount: 400, capture: false });
  const [held, paid, poor, declined] = await idsOf(path);
  expect(held).toBe(reserved.id);
  expect(await idsOf(`${path}?status[in]=completed,In_Progress`)).toEqual([held, paid]);
  expect(await idsOf(`${path}?status[in]=failed&status=failed&amount[lte]=100`)).toEqual([declined]);
  expect(await idsOf(`${path}?error_code=3003`)).toEqual([poor]);
  expect(await idsOf(`${path}?error_code=3005`)).toEqual([]);
  expect(errorOf(await get(`${path}?status[in]=paid`))).toBe(1003);
  expect(errorOf(await get(`${path}?error_code=x`))).toBe(1003);
  const query = `query($c: ID) { charges(customer_id: $c, status_in: [failed, completed], amount_gte: 200) {
    edges { node { id } } totalCount } poor: charges(customer_id: $c, error_code: 3003) { totalCount } }`;
  const { data } = (await api.graphql(query, { c: customer_id })).body;
  expect(data.charges).toEqual({ edges: [{ node: { id: paid } }, { node: { id: poor } }], totalCount: 2 });
  expect(data.poor.totalCount).toBe(1);
});

it('declines with one code are found with an index', async () => {
  const db = api.database.db();
  const plan = await db.$transaction(async tx => {
    // The planner would ignore the index of such a small table.
    await tx.$executeRaw`set local enable_seqscan = off`;
    return tx.$queryRaw`explain select id from transactions where merchant_id = 'm' and transaction_type = 'charge'
      and error_code = 3001 order by creation_date desc, id desc limit 10`;
  }, PATIENCE);
  expect(JSON.stringify(plan)).toContain('transactions_list_by_error');
});

it('subscriptions are found by the day of their next charge', async () => {
  const customer_id = await newCustomer();
  const source_id = await shop.newCard(`/customers/${customer_id}/cards`);
  const path = `/customers/${customer_id}/subscriptions`;
  const { body } = await shop.post(path, { plan_id: await shop.newPlan({ trial_days: 5 }), source_id });
  expect(await idsOf(`${path}?charge_date=${body.charge_date}`)).toEqual([body.id]);
  expect(await idsOf(`${path}?charge_date=${body.trial_end_date}`)).toEqual([]);
});
