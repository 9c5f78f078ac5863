/** Nested GraphQL queries: the number of SQL statements does not grow with the number of records. */
import { Client } from 'pg';
import { newId } from '../../../src/platform/identifiers';
import { eventually } from '../../harness/flow/until';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);

/** Awaits the work: a blocked process would lose the connection of the key cache, which would then query keys again. */
async function statements(work: () => Promise<unknown>): Promise<number> {
  const query = jest.spyOn(Client.prototype, 'query');
  await work();
  // The cache of API keys regularly checks whether its connection is alive.
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

/** Each field loads all records of its level with one statement, some together with another field. */
const FIELDS_THAT_LOAD = 20;
const everything = `
  query($plan: ID!, $n: Int!) {
    plan(plan_id: $plan) {
      name
      subscriptions(first: $n) { edges { node {
        id status
        plan { id }
        saved_card { id customer { id } subscriptions(first: 2) { edges { node { id } } } }
        charges(first: 2) {
          edges { node { id amount subscription { id plan { name } } customer { name } saved_card { id } } }
        }
        projection(periods: 2) { period charge_date amount }
        history { summary entries { nodes { date event description } } next }
        customer {
          id name cards(first: 2) { edges { node { id } } }
          charges(first: 2) { edges { node { id } } }
          subscriptions(first: 2) { edges { node { id transaction_id } } }
        }
      } } }
    }
  }`;

it('a query nests plans, subscriptions, customers, cards and charges with a constant number of statements', async () => {
  const ask = async (n: number) => {
    const answer = await api.graphql(everything, { plan: plan_id, n });
    expect(answer.body.errors).toBeUndefined();
    return answer.body.data.plan.subscriptions.edges;
  };
  const [{ node: one }] = await ask(1);
  const only = (node: object) => ({ edges: [{ node }] });
  const [{ node: charge }] = one.charges.edges;
  expect(charge).toMatchObject({
    amount: 49900,
    subscription: { id: one.id, plan: { name: 'Monthly' } },
    customer: { name: 'María' },
  });
  expect(one).toMatchObject({
    status: 'active',
    plan: { id: plan_id },
    saved_card: { customer: { id: customer_id }, subscriptions: only({ id: one.id }) },
    charges: only({ id: charge.id }),
    projection: [{ period: 2 }, { period: 3 }],
    history: {
      summary: expect.stringMatching(/^Active, period 1 is paid until/),
      next: expect.stringMatching(/^Period 2 is charged on /),
    },
    customer: {
      id: customer_id,
      cards: only({ id: one.saved_card.id }),
      charges: only({ id: charge.id }),
      subscriptions: only({ id: one.id }),
    },
  });
  await eventually(async () => expect(await statements(() => ask(1))).toBeLessThanOrEqual(FIELDS_THAT_LOAD));
  for (let i = 0; i < 11; i++) await subscribe();
  expect(await ask(12)).toHaveLength(12);
  await eventually(async () => expect(await statements(() => ask(12))).toBeLessThanOrEqual(FIELDS_THAT_LOAD));
});

it('a query nests from a charge to its plan, and from a list of customers to their subscriptions', async () => {
  const { body } = await api.graphql(
    `{ charges(limit: 1) { nodes { subscription { plan { id } customer { id } } } }
      customers(limit: 2) { nodes { id subscriptions { edges { node { customer_id } } } } } }`,
  );
  expect(body.data.charges.nodes[0].subscription.plan.id).toBe(plan_id);
  for (const { id, subscriptions } of body.data.customers.nodes)
    expect(subscriptions.edges).toEqual([{ node: { customer_id: id } }]);
});

it('a query fails with 1003 for a limit beyond the maximum, and with 1001 for a document that is too complex', async () => {
  const { body } = await api.graphql('{ plans { nodes { subscriptions(first: 0) { totalCount } } } }');
  expect(body.errors[0].extensions.error_code).toBe(1003);
  const large = await api.graphql(
    '{ plans(limit: 1000) { nodes { subscriptions(first: 1000) { edges { cursor } } } } }',
  );
  expect(large.body.errors[0].extensions.error_code).toBe(1001);
});

describe('connections within records', () => {
  const connection = (node: string) => `{ edges { cursor node { ${node} } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount totalCountIsExact }`;
  const NESTED = `query($plan: ID!, $n: Int!) { plan(plan_id: $plan) {
    subscriptions(first: $n) { totalCount edges { node { id
      charges(last: 2) ${connection('id amount')}
      paid: charges(status: [completed]) ${connection('id')}
      failed: charges(status: [failed, cancelled]) ${connection('id')}
      events(first: 5) ${connection('id type object { __typename }')}
      saved_card { subscriptions(first: 2) ${connection('id')} }
      customer {
        id
        cards(first: 1) ${connection('id')}
        charges(limit: 1) ${connection('id events(last: 1) { totalCount edges { node { type } } }')}
        subscriptions(status: [active]) ${connection('id')}
      } } } } } }`;
  const FIELDS_THAT_LOAD_OR_COUNT = 30;

  it('return only the records of their owner, with a constant number of statements', async () => {
    const ask = async (n: number) => {
      const { body } = await api.graphql(NESTED, { plan: plan_id, n });
      expect(body.errors).toBeUndefined();
      return body.data.plan.subscriptions;
    };
    await eventually(async () => expect(await statements(() => ask(1))).toBeLessThanOrEqual(FIELDS_THAT_LOAD_OR_COUNT));
    const { edges, totalCount } = await ask(12);
    expect([edges.length, totalCount]).toEqual([12, 12]);
    const single = (id: string) => ({ edges: [{ node: { id } }], totalCount: 1, totalCountIsExact: true });
    for (const { node } of edges) {
      const [{ node: charge }] = node.charges.edges;
      expect(node).toMatchObject({
        charges: { ...single(charge.id), pageInfo: { hasNextPage: false, hasPreviousPage: false } },
        paid: single(charge.id),
        failed: { edges: [], totalCount: 0, pageInfo: { startCursor: null, endCursor: null } },
        saved_card: { subscriptions: single(node.id) },
        events: {
          edges: [{ node: { type: 'subscription_activated' } }, { node: { type: 'subscription_created' } }],
          totalCount: 2,
        },
        customer: { charges: single(charge.id), subscriptions: single(node.id) },
      });
    }
    await eventually(async () =>
      expect(await statements(() => ask(12))).toBeLessThanOrEqual(FIELDS_THAT_LOAD_OR_COUNT),
    );
  });

  it('return the deliveries of each webhook, with a constant number of statements', async () => {
    const db = api.database.db();
    const { id: merchant_id } = api.merchants().own;
    const webhook = { merchant_id, verification_code: 'x', secret_sealed: Buffer.of(1), status: 'verified' };
    const newWebhook = (i: number) => ({ ...webhook, id: newId('webhook'), url: `https://${i}.example` });
    const data = Array.from({ length: 12 }, (_, i) => ({ ...newWebhook(i), creation_date: new Date() }));
    await db.webhook.createMany({ data });
    await subscribe();
    const query = `query($n: Int) { webhooks(first: $n) { edges { node { url
      deliveries(first: 2, status: [pending]) ${connection('id event_type request { url body }')} } } } }`;
    const ask = async (n: number) => {
      const { body } = await api.graphql(query, { n });
      expect(body.errors).toBeUndefined();
      return body.data.webhooks.edges;
    };
    const edges = await ask(12);
    expect(edges).toHaveLength(12);
    for (const { node } of edges) {
      const { edges: deliveries, totalCount, pageInfo } = node.deliveries;
      expect([totalCount, pageInfo.hasNextPage]).toEqual([3, true]);
      expect(deliveries[0].node.event_type).toBe('subscription_activated');
      expect(deliveries[0].node.request).toEqual({ url: node.url, body: expect.stringMatching(/"subscription":/) });
    }
    await eventually(async () => expect(await statements(() => ask(12))).toBe(await statements(() => ask(1))));
  });

  it('continue forwards and backwards from a cursor', async () => {
    const page = async (window: string) => {
      const query = `{ plan(plan_id: "${plan_id}") { subscriptions(${window}) ${connection('id')} } }`;
      return (await api.graphql(query)).body.data.plan.subscriptions;
    };
    const idsOf = ({ edges }: { edges: { node: { id: string } }[] }) => edges.map(({ node }) => node.id);
    const all = idsOf(await page('first: 100'));
    const first = await page('first: 5');
    const second = await page(`first: 5, after: "${first.pageInfo.endCursor}"`);
    const third = await page(`first: 5, after: "${second.pageInfo.endCursor}"`);
    expect([...idsOf(first), ...idsOf(second), ...idsOf(third)]).toEqual(all);
    expect([second.pageInfo.hasNextPage, third.pageInfo.hasNextPage]).toEqual([true, false]);
    expect(await page(`last: 5, before: "${second.pageInfo.startCursor}"`)).toEqual({
      ...first,
      pageInfo: { ...first.pageInfo, hasNextPage: true, hasPreviousPage: false },
    });
    expect(idsOf(await page('last: 3'))).toEqual(all.slice(-3));
  });
});

it('a charge of a subscription names the payer, and one fragment reads every kind of card', async () => {
  const query = `query($c: ID!) { customer(customer_id: $c) {
      cards { edges { node { ...card } } }
      charges { edges { node { payer { name email } card { ...card } } } }
      subscriptions { edges { node { card { ...card } } } } } }
    fragment card on AnyCard { __typename holder_name brand }`;
  const { body } = await api.graphql(query, { c: customer_id });
  expect(body.errors).toBeUndefined();
  const card = (__typename: string) => ({ __typename, holder_name: expect.any(String), brand: 'visa' });
  const one = (node: object) => ({ edges: [{ node }] });
  expect(body.data.customer).toEqual({
    cards: one(card('Card')),
    charges: one({ payer: { name: shop.payer.name, email: shop.payer.email }, card: card('ChargedCard') }),
    subscriptions: one({ card: card('SubscriptionCard') }),
  });
  const asked = 'query($c: ID!) { charges(customer_id: $c) { nodes { payer { name } customer { name } } } }';
  await eventually(async () =>
    expect(await statements(() => api.graphql(asked, { c: customer_id }))).toBeLessThanOrEqual(4),
  );
});

it('a declined charge and its error have a named decline reason', async () => {
  const customer = await shop.newCustomer();
  const card_id = await shop.newCard(`/customers/${customer}/cards`);
  await shop.script(card_id, 3003);
  const charge = { ...shop.charge, iva: '19', source_id: card_id };
  const query = 'mutation($c: ID!, $charge: CreateCharge!) { createCharge(customer_id: $c, charge: $charge) { id } }';
  const { body } = await api.graphql(query, { c: customer, charge });
  expect(body.errors[0].extensions).toMatchObject({ code: 'insufficient_funds', error_code: 3003 });
  const { data } = (
    await api.graphql('query($c: ID) { charges(customer_id: $c) { nodes { error error_code } } }', { c: customer })
  ).body;
  expect(data.charges.nodes).toEqual([{ error: 'insufficient_funds', error_code: 3003 }]);
});
