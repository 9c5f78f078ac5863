/** Root fields are independent: a root field that fails is null, and the remaining fields keep their data. */
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);

describe('a root field that fails', () => {
  it('keeps the records that the remaining fields created', async () => {
    const { body } = await api.graphql(`mutation {
      one: createCustomer(customer: { name: "Ana", email: "ana@example.com" }) { id }
      two: deletePlan(plan_id: "p0000000000000000000") { id }
      three: createCustomer(customer: { name: "Eva", email: "eva@example.com" }) { id }
    }`);
    expect(body.data).toEqual({ one: { id: expect.any(String) }, two: null, three: { id: expect.any(String) } });
    expect(body.errors).toMatchObject([{ path: ['two'], extensions: { error_code: 1005 } }]);
  });

  it('keeps the data that the remaining fields read', async () => {
    const { body } = await api.graphql(`{
      merchant { id }
      customer(customer_id: "a0000000000000000000") { id }
      customers(limit: 0) { nodes { id } }
    }`);
    expect(body.data).toEqual({ merchant: { id: api.merchants().own.id }, customer: null, customers: null });
    expect(body.errors).toHaveLength(2);
  });
});

describe('a mutation that deletes', () => {
  const remove = async (mutation: string, id: string) => {
    const { body } = await api.graphql(`mutation($id: ID!) { it: ${mutation} }`, { id });
    expect(body.errors).toBeUndefined();
    return body.data.it;
  };

  it('returns the deleted record with its new state', async () => {
    const customer = await shop.newCustomer();
    const path = `/customers/${customer}`;
    const source_id = await shop.newCard(`${path}/cards`);
    const plan_id = await shop.newPlan({ trial_days: 5 });
    const { id } = (await shop.post(`${path}/subscriptions`, { plan_id, source_id })).body;
    const hook = (await shop.post('/webhooks', { url: 'http://127.0.0.1:9/' })).body;
    expect(await remove('deleteSubscription(subscription_id: $id) { id status plan { name } }', id)).toEqual({
      id,
      status: 'cancelled',
      plan: { name: 'Monthly' },
    });
    const card = `deleteCard(card_id: $id, customer_id: "${customer}") { id card_number }`;
    expect(await remove(card, source_id)).toEqual({ id: source_id, card_number: expect.stringMatching(/X{6}/) });
    expect(await remove('deletePlan(plan_id: $id) { id name status }', plan_id)).toEqual({
      id: plan_id,
      name: 'Monthly',
      status: 'deleted',
    });
    expect(await remove('deleteCustomer(customer_id: $id) { id name status balance }', customer)).toEqual({
      id: customer,
      name: 'María',
      status: 'deleted',
      balance: 0,
    });
    expect(await remove('deleteWebhook(webhook_id: $id) { id url }', hook.id)).toEqual({
      id: hook.id,
      url: 'http://127.0.0.1:9/',
    });
  });

  it('responds 204 without a body in REST', async () => {
    const customer = await shop.newCustomer();
    const plan = await shop.newPlan();
    for (const path of [`/customers/${customer}`, `/plans/${plan}`]) {
      const { status, text } = await api.rest('DELETE', path);
      expect([status, text]).toEqual([204, '']);
    }
  });
});
