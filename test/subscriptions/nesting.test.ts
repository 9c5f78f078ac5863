/** A dashboard asks for everything at once: the number of SQL statements does not grow with the number of records. */
import { Client } from 'pg';
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { testApi } from '../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);

async function statements(work: () => Promise<unknown>): Promise<number> {
  const query = jest.spyOn(Client.prototype, 'query');
  await work();
  // The cache of API keys asks now and then whether its connection is alive.
  const count = query.mock.calls.filter(([statement]) => (statement as unknown) !== 'select 1').length;
  query.mockRestore();
  return count;
}

let plan_id: string;
let customer_id: string;
/** A customer with a card, a subscription on the plan and its first charge. */
const subscribe = async (): Promise<string> => {
  const customer = await shop.newCustomer({ requires_account: false });
  const source_id = await shop.newCard(`/customers/${customer}/cards`);
  const { status } = await shop.post(`/customers/${customer}/subscriptions`, { plan_id, source_id });
  expect(status).toBe(201);
  return customer;
};
beforeAll(async () => {
  const plan = { name: 'Monthly', amount: 49900, repeat_every: 1, repeat_unit: 'month', status_after_retry: 'unpaid' };
  plan_id = (await shop.post('/plans', { ...plan, trial_days: 0 })).body.id;
  customer_id = await subscribe();
});

/** Each of them asks once for all records of its level, or together with another. */
const FIELDS_THAT_LOAD = 20;
const everything = `
  query($plan: ID!, $n: Int!) {
    plan(plan_id: $plan) {
      name
      subscriptions(first: $n) {
        id status
        plan { id }
        saved_card { id customer { id } subscriptions(first: 2) { id } }
        charges(first: 2) { id amount subscription { id plan { name } } owner { name } saved_card { id } }
        projection(periods: 2) { period charge_date amount }
        history { summary entries { date event description } next }
        customer { id name cards(first: 2) { id } charges(first: 2) { id } subscriptions(first: 2) { id transaction_id } }
      }
    }
  }`;

it('plan, subscriptions, customers, cards and charges in any direction, with a constant number of statements', async () => {
  const ask = async (n: number) => {
    const answer = await api.graphql(everything, { plan: plan_id, n });
    expect(answer.body.errors).toBeUndefined();
    return answer.body.data.plan.subscriptions;
  };
  const [one] = await ask(1);
  expect(one).toMatchObject({
    status: 'active',
    plan: { id: plan_id },
    saved_card: { customer: { id: customer_id }, subscriptions: [{ id: one.id }] },
    charges: [{ amount: 49900, subscription: { id: one.id, plan: { name: 'Monthly' } }, owner: { name: 'María' } }],
    projection: [{ period: 2 }, { period: 3 }],
    history: {
      summary: expect.stringMatching(/^Active, period 1 is paid until/),
      next: expect.stringMatching(/^On .* period 2 is charged\.$/),
    },
    customer: {
      id: customer_id,
      cards: [{ id: one.saved_card.id }],
      charges: [{ id: one.charges[0].id }],
      subscriptions: [{ id: one.id }],
    },
  });
  expect(await statements(() => ask(1))).toBeLessThanOrEqual(FIELDS_THAT_LOAD);
  for (let i = 0; i < 11; i++) await subscribe();
  expect(await ask(12)).toHaveLength(12);
  expect(await statements(() => ask(12))).toBeLessThanOrEqual(FIELDS_THAT_LOAD);
});

it('from a charge back to its plan, and from a list of customers to their subscriptions', async () => {
  const { body } = await api.graphql(
    '{ charges(limit: 1) { subscription { plan { id } customer { id } } } customers(limit: 2) { id subscriptions { customer_id } } }',
  );
  expect(body.data.charges[0].subscription.plan.id).toBe(plan_id);
  for (const { id, subscriptions } of body.data.customers) expect(subscriptions).toEqual([{ customer_id: id }]);
});

it('1003 for more records than a list has, and 1001 for a document that asks for too much', async () => {
  const { body } = await api.graphql('{ plans { subscriptions(first: 0) { id } } }');
  expect(body.errors[0].extensions.error_code).toBe(1003);
  const large = await api.graphql('{ plans(limit: 1000) { subscriptions(first: 1000) { id } } }');
  expect(large.body.errors[0].extensions.error_code).toBe(1001);
});
