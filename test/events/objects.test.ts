/** The objects of events have concrete GraphQL types and the values that the event stored. */
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { testSettlements } from '../harness/merchant/settlements';
import { testApi } from '../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const { settle, item } = testSettlements(api);

const OBJECT = `object { __typename
  ... on Transaction { id amount method status creation_date description error_code card { card_number brand }
    refund { id amount } fee { amount tax currency } metadata payer { name } subscription { id } }
  ... on CustomerSubscription { id state: status charge_date creation_date billed: card { card_number } plan { name } }
  ... on Payout { id paid: amount } ... on Settlement { id day } }`;

interface ListedEvent {
  type: string;
  object: { __typename: string; id: string; [field: string]: unknown } | null;
  transaction?: Record<string, unknown>;
  subscription?: Record<string, unknown>;
}

/** The events in GraphQL, each merged with the same event in REST. */
const events = async (): Promise<ListedEvent[]> => {
  const { body } = await api.graphql(`{ events(limit: 50) { nodes { type: name ${OBJECT} } } }`);
  expect(body.errors).toBeUndefined();
  const { body: kept } = await api.rest('GET', '/events?limit=50');
  return kept.map((event: object, i: number) => ({ ...event, ...body.data.events.nodes[i] }));
};

it('a charge, its refund, a decline and a subscription match their events', async () => {
  const customer = await shop.newCustomer({ requires_account: false });
  const card = await shop.newCard(`/customers/${customer}/cards`);
  const charge = { ...shop.charge, source_id: card, amount: 1234.56, metadata: { cart: '7' } };
  const { body: paid } = await shop.post(`/customers/${customer}/charges`, charge);
  await shop.post(`/charges/${paid.id}/refund`, { amount: 100.5 });
  await shop.script(card, 3001);
  await shop.post(`/customers/${customer}/charges`, { ...shop.charge, source_id: card });
  const plan_id = await shop.newPlan();
  const subscribed = await shop.post(`/customers/${customer}/subscriptions`, { plan_id, source_id: card });
  expect(subscribed.status).toBe(201);
  const listed = await events();
  expect(new Set(listed.map(({ type }) => type))).toEqual(
    new Set(['charge.succeeded', 'charge.refunded', 'charge.failed', 'subscription.created', 'subscription.activated']),
  );
  for (const { object, transaction, subscription } of listed) {
    const kept = transaction ?? subscription;
    expect(object?.__typename).toBe(transaction ? 'Transaction' : 'CustomerSubscription');
    for (const name of ['id', 'amount', 'method', 'creation_date', 'description', 'error_code', 'charge_date'])
      if (kept?.[name] !== undefined && object && name in object)
        expect([name, object[name]]).toEqual([name, kept[name]]);
    expect(kept?.card).toMatchObject((object?.card ?? object?.billed) as object);
  }
  const refunded = listed.find(({ type }) => type === 'charge.refunded');
  expect(refunded?.object).toMatchObject({
    amount: 1234.56,
    refund: { amount: 100.5 },
    fee: refunded?.transaction?.fee,
    metadata: { cart: '7' },
    payer: { name: shop.payer.name },
  });
  const created = listed.find(({ type }) => type === 'subscription.created');
  expect(created?.object).toMatchObject({ state: created?.subscription?.status, plan: { name: shop.plan.name } });
});

it('a payout and a settlement match their events', async () => {
  const charge = await shop.newCharge(await shop.newToken(), { amount: 500_000 });
  const account = { bank: 'Bancolombia', type: 'savings', number: '12345678901' };
  expect((await api.rest('PUT', '', { body: { bank_account: account } })).status).toBe(200);
  await settle([item(charge, 500_000)]);
  const { body: payout } = await shop.post('/payouts', { amount: 1000.5, description: 'Sales' });
  const { body: settlements } = await api.rest('GET', '/settlements');
  const query = `query($type: EventType) { events(type: $type) { nodes { object_id object { __typename
    ... on Payout { id amount status description creation_date }
    ... on Settlement { id day state: status count charged: charges net creation_date } } } } }`;
  const objectOf = async (type: string) => {
    const { body } = await api.graphql(query, { type });
    expect(body.errors).toBeUndefined();
    expect(body.data.events.nodes).toHaveLength(1);
    return body.data.events.nodes[0].object;
  };
  const { id, amount, status, description, creation_date } = payout;
  expect(await objectOf('payout_created')).toEqual({
    __typename: 'Payout',
    ...{ id, amount, status, description, creation_date },
  });
  const [{ day, count, charges, net, ...settlement }] = settlements;
  expect(await objectOf('settlement_created')).toEqual({
    __typename: 'Settlement',
    ...{ id: settlement.id, state: settlement.status, creation_date: settlement.creation_date },
    ...{ day, count, charged: charges, net },
  });
  expect([amount, charges]).toEqual([1000.5, 500_000]);
});

it('the complexity counts each fragment on the object of an event', async () => {
  const costOf = async (fragments: string) =>
    (await api.graphql(`{ events(limit: 10) { nodes { object { ${fragments} } } } }`)).body.extensions.cost.requested;
  const one = await costOf('... on Transaction { id amount }');
  expect(one).toBe(2 + 10 * 3);
  expect(await costOf('... on Transaction { id amount } ... on Settlement { id }')).toBe(one + 10);
  expect(await costOf('__typename')).toBe(2 + 10 * 2);
});
