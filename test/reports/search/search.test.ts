/** A search text may match customers, subscriptions, charges and plans; the best matches come first. */
import { canary } from '../../harness/cards/canaries';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';

interface Result {
  type: string;
  matched: string;
  record: { id: string };
}

const api = testApi();
const shop = merchantCalls(api);
const ids: Record<string, string> = {};
const nameOf = (id: string): string => Object.keys(ids).find(name => ids[name] === id) ?? id;
const search = (text: string, more = '') => api.rest('GET', `/search?text=${encodeURIComponent(text)}${more}`);
/** The results as `matched name`, in their order. */
const found = async (text: string): Promise<string[]> =>
  (await search(text)).body.map(({ matched, record }: Result) => `${matched} ${nameOf(record.id)}`);

beforeAll(async () => {
  const people = {
    maria: { name: 'María', last_name: 'Gómez', email: 'mgomez@tienda.co', phone_number: '3001234567' },
    mariana: { name: 'Mariana', last_name: 'Peña', email: 'pena@correo.co', external_id: 'client-77' },
    rosa: { name: 'Rosa', last_name: 'Santamaría', email: 'rosa@correo.co', external_id: '50% off_1' },
    gone: { name: 'María', last_name: 'Borrada', email: 'gone@correo.co', requires_account: false },
  };
  for (const [name, person] of Object.entries(people)) ids[name] = await shop.newCustomer(person);
  ids.monthly = await shop.newPlan({ name: 'Café mensual', trial_days: 30 });
  ids.yearly = await shop.newPlan({ name: 'Café anual', trial_days: 30, amount: 480000, repeat_unit: 'year' });
  const source_id = await shop.newCard(`/customers/${ids.maria}/cards`);
  const subscription = { plan_id: ids.monthly, source_id };
  ids.subscription = (await shop.post(`/customers/${ids.maria}/subscriptions`, subscription)).body.id;
  const card = await shop.newCard();
  ids.order = await shop.newCharge(card, { order_id: 'pedido-2026-0042', amount: 77500 });
  ids.other = await shop.newCharge(card, { order_id: 'pedido-2026-0043', amount: 12345.67 });
  expect((await api.rest('DELETE', `/customers/${ids.gone}`)).status).toBe(204);
});

it('the search finds customers by name, e-mail address, phone number and external_id', async () => {
  expect(await found('María Gómez')).toEqual(['name maria', 'customer subscription']);
  expect(await found('gomez maria')).toEqual(['name maria', 'customer subscription']);
  expect(await found('MGOMEZ@tienda.co')).toEqual(['email maria', 'customer subscription']);
  expect(await found('mgomez')).toEqual(['email maria', 'customer subscription']);
  expect(await found('client-77')).toEqual(['external_id mariana']);
  for (const phone of ['3001234567', '300 123 4567', '+57 300 123-4567', '(300) 1234567', '1234567'])
    expect([phone, (await found(phone))[0]]).toEqual([phone, 'phone_number maria']);
  expect(await found('peña client')).toEqual(['name mariana']);
});

it('the search ignores accents and letter case, and ranks whole words before prefixes before substrings', async () => {
  expect(await found('maria')).toEqual(['name maria', 'customer subscription', 'name mariana', 'name rosa']);
  expect(await found('PENA')).toEqual(['name mariana']);
});

it('the search finds charges by ID, order, authorization, amount and the last digits of the card', async () => {
  const { authorization } = (await api.rest('GET', `/charges/${ids.order}`)).body;
  expect(await found(ids.order ?? '')).toEqual(['id order']);
  expect(await found('pedido-2026-0042')).toEqual(['order_id order']);
  expect(await found('PEDIDO-2026')).toEqual(['order_id other', 'order_id order']);
  expect(await found('0042')).toEqual(['order_id order']);
  expect((await found(authorization)).slice(0, 1)).toEqual(['authorization order']);
  for (const amount of ['77500', '77500.00', '77.500', '77.500,00'])
    expect([amount, await found(amount)]).toEqual([amount, ['amount order']]);
  expect(await found('12345,67')).toEqual(['amount other']);
  expect(await found(canary.visa.slice(-4))).toEqual(['card_number other', 'card_number order']);
});

it('the search finds plans by ID and name, and subscriptions by ID and the name of their plan', async () => {
  expect(await found('cafe')).toEqual(['name yearly', 'name monthly', 'plan subscription']);
  expect(await found('Café mensual')).toEqual(['name monthly', 'plan subscription']);
  expect((await found(ids.yearly ?? ''))[0]).toBe('id yearly');
  expect(await found(ids.subscription ?? '')).toEqual(['id subscription']);
});

it('the search returns complete records, equal in REST and in GraphQL, where they are a union', async () => {
  const [customer, subscription] = (await search('María Gómez')).body;
  expect(customer.record).toEqual((await api.rest('GET', `/customers/${ids.maria}`)).body);
  expect([customer.type, subscription.type]).toEqual(['customer', 'subscription']);
  const { body } = await api.graphql(
    `query($t: String!) { search(text: $t) { type matched record { __typename
       ... on Customer { id email subscriptions { edges { node { id } } } } ... on CustomerSubscription { id plan { name } }
       ... on Transaction { id amount } ... on Plan { id name } } } }`,
    { t: 'María Gómez' },
  );
  expect(body.data.search).toEqual([
    {
      type: 'customer',
      matched: 'name',
      record: {
        __typename: 'Customer',
        id: ids.maria,
        email: 'mgomez@tienda.co',
        subscriptions: { edges: [{ node: { id: ids.subscription } }] },
      },
    },
    {
      type: 'subscription',
      matched: 'customer',
      record: { __typename: 'CustomerSubscription', id: ids.subscription, plan: { name: 'Café mensual' } },
    },
  ]);
});

it('the search returns the requested number of results', async () => {
  expect((await search('cafe', '&limit=1')).body).toHaveLength(1);
  for (const limit of ['0', '51', 'x']) expect(errorOf(await search('cafe', `&limit=${limit}`))).toBe(1003);
});

it('the search finds no deleted customers and no records of other merchants', async () => {
  expect(await found('Borrada')).toEqual([]);
  expect(await found('gone@correo.co')).toEqual([]);
  expect(await found(ids.gone ?? '')).toEqual([]);
  const { other } = api.merchants();
  for (const text of ['María Gómez', 'cafe', '77500', '0042', canary.visa.slice(-4), ...Object.values(ids)]) {
    const path = `/v1/${other.id}/search?text=${encodeURIComponent(text)}`;
    expect((await sendRequest(`${api.origin()}${path}`, 'GET', { key: other.private_key })).body).toEqual([]);
  }
});

describe('bad input', () => {
  it.each(['%%%', '___', "'; drop table customers; --", '\\\\\\', '🎉🎉🎉', '...', '((((', '日本語', 'a%a', '50%'])(
    'finds only records that contain the text: %s',
    async text => expect(await found(text)).toEqual(text === '50%' ? ['external_id rosa'] : []),
  );

  it('treats wildcards as ordinary characters', async () => {
    expect(await found('50% off_1')).toEqual(['external_id rosa']);
    expect(await found('50_ off%1')).toEqual([]);
  });

  it.each([
    ['one character', 'a'],
    ['two', 'ab'],
    ['two and white space', ' ab '],
    ['one emoji', '🎉'],
    ['nothing', ''],
    ['white space', '   '],
    ['101 characters', 'x'.repeat(101)],
    ['10,000 characters', 'x'.repeat(10_000)],
  ])('is refused: %s', async (_, text) => {
    const answer = await search(text);
    expect([answer.status, errorOf(answer), answer.body.field]).toEqual([422, 1003, 'text']);
  });

  it('is refused without a text', async () => {
    const answer = await api.rest('GET', '/search');
    expect([answer.status, errorOf(answer), answer.body.field]).toEqual([422, 1003, 'text']);
    expect(errorOf(await api.rest('GET', '/search?text=cafe&texto=cafe'))).toBe(1003);
    expect(errorOf(await api.rest('GET', '/search?text=cafe&text=caro'))).toBe(1003);
  });

  it('refuses card numbers in any notation, and does not repeat them', async () => {
    const number = '4242424242424242';
    for (const text of [number, `card ${number.replace(/(\d{4})(?=\d)/g, '$1 ')}`]) {
      const answer = await search(text);
      expect([answer.status, errorOf(answer), answer.body.field]).toEqual([422, 1003, 'text']);
      expect(answer.text).not.toContain('4242');
    }
    const { body } = await api.graphql('query($t: String!) { search(text: $t) { type } }', { t: number });
    expect(body.errors[0].extensions.error_code).toBe(1003);
  });
});
