/** A session for one customer reaches only that customer's data, by any root field or link of either API. */
import { routes } from '../../../src/api/rest/routes';
import { newId } from '../../../src/platform/identifiers';
import { type Field, refusal, rootFields } from '../../harness/api/permissions';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { bearer, testSessions } from '../../harness/merchant/sessions';
import { type ApiResponse, errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const { newSession, queryGraphql } = testSessions(api);
const refused = (answer: ApiResponse) => [answer.status, errorOf(answer)];

/** The root fields that the session may call. All other fields are refused: see test/schema/permissions.test.ts. */
const allowed = rootFields.filter(({ field }) => !refusal('customer session: all', field));
const rows = allowed.map(each => [each.name, each] as const);
const isAllowed = (name: string): boolean => allowed.some(({ field }) => field.name === name);

type Ids = Record<string, string>;
let own: Ids;
let others: Ids;
let unknown: Ids;
let token: string;

async function newIds(): Promise<Ids> {
  const customer_id = await shop.newCustomer();
  const path = `/customers/${customer_id}`;
  const card_id = await shop.newCard(`${path}/cards`);
  const transaction_id = (await shop.post(`${path}/charges`, { ...shop.charge, source_id: card_id })).body.id;
  const plan_id = await shop.newPlan({ trial_days: 5 });
  const subscription_id = (await shop.post(`${path}/subscriptions`, { plan_id, source_id: card_id })).body.id;
  return { customer_id, card_id, transaction_id, subscription_id };
}

beforeAll(async () => {
  [own, others] = [await newIds(), await newIds()];
  unknown = Object.fromEntries(Object.entries(own).map(([name, id]) => [name, `${id[0]}${newId('card').slice(1)}`]));
  const { customer_id } = own;
  token = (await newSession({ customer_id, scope: ['all'] })).token;
});

const documentOf = (type: string, { name, args }: Field, ids: Ids): string => {
  const given = args.filter(arg => arg.name in ids).map(arg => `${arg.name}: "${ids[arg.name]}"`);
  return `${type.toLowerCase()} { ${name}${given.length > 0 ? `(${given.join(', ')})` : ''} { __typename } }`;
};

/** Without their input, because a missing resource is reported before an invalid input. */
it.each(rows)(
  "%s returns the same for another customer's data as for an unknown customer's",
  async (_, { type, field }) => {
    const answers = [];
    for (const ids of [others, unknown]) {
      const { customer_id: _, ...rest } = ids;
      for (const given of [ids, rest, { ...rest, customer_id: own.customer_id ?? '' }]) {
        if (!field.args.some(({ name }) => name in given)) continue;
        const { body, status } = await queryGraphql(token, documentOf(type, field, given));
        const [{ message, extensions } = { message: '', extensions: {} }] = body.errors ?? [];
        answers.push([status, message, { ...extensions, request_id: '' }, body.data]);
      }
    }
    const half = answers.length / 2;
    expect(answers.slice(half)).toEqual(answers.slice(0, half));
    expect(half).toBeGreaterThan(0);
  },
);

it.each([
  ['card(card_id: "$card_id") { id }'],
  ['charge(transaction_id: "$transaction_id") { id }'],
  ['subscription(subscription_id: "$subscription_id") { id }'],
  ['history(subscription_id: "$subscription_id") { summary }'],
  ['projection(subscription_id: "$subscription_id") { period }'],
  ['customer(customer_id: "$customer_id") { id }'],
  ['charges(customer_id: "$customer_id") { nodes { id } }'],
  ['cards(customer_id: "$customer_id") { nodes { id } }'],
  ['subscriptions(customer_id: "$customer_id") { nodes { id } }'],
])(
  'a session for one customer reads its own customer by { %s }, and fails with 1005 for another customer',
  async query => {
    const ofIds = (ids: Ids) => queryGraphql(token, `{ ${query.replace(/\$(\w+)/g, (_, name) => ids[name] ?? '')} }`);
    expect((await ofIds(own)).body.errors).toBeUndefined();
    for (const ids of [others, unknown]) expect(errorOf(await ofIds(ids))).toBe(1005);
  },
);

it.each(['', '(customer_id: null)'])(
  'a session for one customer lists only its own data with the argument %j',
  async of => {
    const { body } = await queryGraphql(
      token,
      `{ cards${of} { edges { node { id } } } charges${of} { edges { node { id } } }
        subscriptions${of} { edges { node { id } } } }`,
    );
    const edges = (id = '') => ({ edges: [{ node: { id } }] });
    expect(body.data).toEqual({
      cards: edges(own.card_id),
      charges: edges(own.transaction_id),
      subscriptions: edges(own.subscription_id),
    });
  },
);

it('a session for one customer follows links to its own data and not to data of another customer', async () => {
  const links = `{ customer(customer_id: "${own.customer_id}") {
      cards { edges { node { id customer { id } subscriptions { totalCount } } } }
      charges { edges { node { customer { id } saved_card { id } events { totalCount } } } }
      subscriptions { edges { node { plan { name } customer { id } saved_card { id }
        charges { totalCount } events { totalCount } history { summary } } } } } }`;
  const { body } = await queryGraphql(token, links);
  expect(body.errors).toBeUndefined();
  expect(body.data.customer.cards.edges).toMatchObject([{ node: { customer: { id: own.customer_id } } }]);
  const beyond = await queryGraphql(
    token,
    `{ subscriptions { nodes { plan { subscriptions { edges { node { customer { email } } } } } } } }`,
  );
  expect([errorOf(beyond), beyond.text.includes('@')]).toEqual([1010, false]);
});

it('a session for one customer does not reveal whether an ID exists when the request is invalid', async () => {
  const query =
    'query ($id: ID!, $first: Int) { charge(transaction_id: $id) { id } charges(limit: $first) { nodes { id } } }';
  const answers = [others, unknown].map(ids => queryGraphql(token, query, { id: ids.transaction_id, first: 'many' }));
  const [other, nobody] = (await Promise.all(answers)).map(refused);
  expect(other).toEqual(nobody);
  const plans = [(await shop.newPlan()) as string, newId('plan')].map(id =>
    queryGraphql(token, `{ subscriptions(plan_id: "${id}", limit: 5000) { nodes { id } } }`),
  );
  expect((await Promise.all(plans)).map(errorOf)).toEqual([1003, 1003]);
});

it('a session for one customer cannot read the schema, and errors suggest no field names', async () => {
  for (const query of [
    '{ __schema { types { name } } }',
    '{ nothing }',
    `{ cards { nodes { id } } __type(name: "Card") { name } }`,
  ])
    expect(refused(await queryGraphql(token, query))).toEqual([403, 1010]);
});

const restRows = routes
  .filter(({ field }) => isAllowed(field))
  .map(each => [`${each.method} ${each.path}`, each] as const);

it.each(restRows)('REST: %s returns nothing of another customer', async (_, route) => {
  const { id } = api.merchants().own;
  for (const ids of [others, unknown]) {
    const path = route.path.replace(/:(\w+)/g, (_, name) => ids[name] ?? `n${name}`);
    const answer = await sendRequest(`${api.origin()}/v1/${id}${path}`, route.method, {
      headers: bearer(token),
      ...(route.body && { body: {} }),
    });
    // The session's own subscriptions are the only part of a plan that it can read.
    if (route.path.startsWith('/plans/')) expect(answer.body).toEqual([]);
    else if (route.path.includes(':')) expect(refused(answer)).toEqual([404, 1005]);
    else expect(answer.text).not.toContain(others.customer_id);
  }
});

it('REST: complete lists as CSV contain nothing of other customers', async () => {
  const { id } = api.merchants().own;
  const readable = routes.filter(
    ({ method, path, field }) => method === 'GET' && !path.includes(':') && isAllowed(field),
  );
  const files = await Promise.all(
    readable.map(async ({ path }) => {
      const headers = { ...bearer(token), accept: 'text/csv' };
      const answer = await fetch(`${api.origin()}/v1/${id}${path}`, { headers });
      return { path, type: answer.headers.get('content-type') ?? '', text: await answer.text() };
    }),
  );
  const lists = files.filter(({ type }) => type.startsWith('text/csv'));
  expect(lists.map(({ path }) => path)).toEqual(expect.arrayContaining(['/cards', '/charges', '/subscriptions']));
  for (const { text } of lists) for (const other of Object.values(others)) expect(text).not.toContain(other);
  expect(lists.map(({ text }) => text).join()).toContain(own.card_id);
});

it('a session for one customer changes its own customer within its scope', async () => {
  const { customer_id } = own;
  const { token } = await newSession({ customer_id, scope: ['updateCustomer'] });
  const rename = (id: string | undefined) =>
    queryGraphql(
      token,
      'mutation ($id: ID!, $c: UpdateCustomer!) { updateCustomer(customer_id: $id, customer: $c) { name } }',
      {
        id,
        c: { name: 'Ana', email: 'ana@example.com' },
      },
    );
  expect((await rename(customer_id)).body.data.updateCustomer).toEqual({ name: 'Ana' });
  expect(errorOf(await rename(others.customer_id))).toBe(1005);
  expect(refused(await queryGraphql(token, `mutation { deleteCard(card_id: "${own.card_id}") { id } }`))).toEqual([
    403, 1010,
  ]);
});
