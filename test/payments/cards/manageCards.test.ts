import { canary } from '../../harness/cards/canaries';
import { masked, visa } from '../../harness/cards/testCards';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const { newCustomer, post: save } = merchantCalls(api);
let customer: string;
beforeAll(async () => {
  customer = await newCustomer();
});

describe('the two levels', () => {
  it('are separate: a card is found, listed, changed and deleted only at its own level', async () => {
    const [owner, otherCustomer] = [await newCustomer(), await newCustomer()];
    const merchantCard = (await save('/cards', visa)).body.id;
    const customerCard = (await save(`/customers/${owner}/cards`, visa)).body.id;
    for (const path of [
      `/cards/${customerCard}`,
      `/customers/${owner}/cards/${merchantCard}`,
      `/customers/${otherCustomer}/cards/${customerCard}`,
    ]) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await api.rest(method, path, method === 'PUT' ? { body: '{"cvv2": {}}' } : {});
        expect([method, path, errorOf(answer)]).toEqual([method, path, 1005]);
      }
    }
    expect((await api.rest('GET', `/customers/${owner}/cards`)).body.map(({ id }: { id: string }) => id)).toEqual([
      customerCard,
    ]);
    expect((await api.rest('GET', '/cards?limit=1')).body.map(({ id }: { id: string }) => id)).toEqual([merchantCard]);
  });

  it('fail with 1005 for an unknown customer or card or those of another merchant, with any body', async () => {
    const { other } = api.merchants();
    const url = `${api.origin()}/v1/${other.id}/customers`;
    const body = { name: 'Other', email: 'other@example.com' };
    const foreignCustomer = (await sendRequest(url, 'POST', { key: other.private_key, body })).body.id;
    const cardsUrl = `${api.origin()}/v1/${other.id}/cards`;
    const foreignCard = (await sendRequest(cardsUrl, 'POST', { key: other.private_key, body: visa })).body.id;
    for (const path of [`/cards/${foreignCard}`, `/customers/${customer}/cards/${foreignCard}`])
      for (const method of ['GET', 'PUT', 'DELETE']) expect(errorOf(await api.rest(method, path))).toBe(1005);
    for (const id of ['a0000000000000000000', foreignCustomer]) {
      for (const sent of [visa, {}, { ...visa, cvv2: undefined }])
        expect(errorOf(await save(`/customers/${id}/cards`, sent))).toBe(1005);
      expect(errorOf(await api.rest('GET', `/customers/${id}/cards`))).toBe(1005);
    }
  });
});

describe('GET …/cards', () => {
  it('lists cards newest first, by offset, limit and day', async () => {
    const owner = await newCustomer();
    const ids: string[] = [];
    for (const card_number of [canary.visa, canary.mastercard, '5555555555554444'])
      ids.unshift((await save(`/customers/${owner}/cards`, { ...visa, card_number })).body.id);
    const list = async (query: string) =>
      (await api.rest('GET', `/customers/${owner}/cards${query}`)).body.map(({ id }: { id: string }) => id);
    expect(await list('')).toEqual(ids);
    expect(await list('?offset=1&limit=1')).toEqual([ids[1]]);
    expect(await list('?creation=2020-01-01')).toEqual([]);
    expect(errorOf(await api.rest('GET', `/customers/${owner}/cards?limit=0`))).toBe(1003);
    const window = `query($c: ID!, $after: String) { cards(customer_id: $c, first: 2, after: $after) {
      edges { node { id } } pageInfo { hasNextPage endCursor } } }`;
    const first = (await api.graphql(window, { c: owner })).body.data.cards;
    const next = (await api.graphql(window, { c: owner, after: first.pageInfo.endCursor })).body.data.cards;
    const nodes = [...first.edges, ...next.edges].map(({ node }: { node: { id: string } }) => node.id);
    expect([nodes, first.pageInfo.hasNextPage, next.pageInfo.hasNextPage]).toEqual([ids, true, false]);
  });
});

describe('PUT …/cards/:card_id', () => {
  it('changes the fields that are sent, accepts an empty object, and ignores read-only fields', async () => {
    const { body: card } = await save('/cards', visa);
    const put = (body: object) => api.rest('PUT', `/cards/${card.id}`, { body });
    const changed = await put({
      ...card,
      holder_name: 'Ana',
      expiration_month: 3,
      expiration_year: '2041',
      merchant_id: 'x',
    });
    expect([changed.status, changed.text]).toEqual([200, '{}']);
    expect((await api.rest('GET', `/cards/${card.id}`)).body).toEqual({
      ...card,
      holder_name: 'Ana',
      expiration_month: '03',
      expiration_year: '41',
    });
    expect((await put({})).text).toBe('{}');
    expect((await api.rest('PUT', `/cards/${card.id}`)).text).toBe('{}');
  });

  it('stores an encrypted cvv2 for the next charge', async () => {
    const { body: card } = await save('/cards', visa);
    expect((await api.rest('PUT', `/cards/${card.id}`, { body: { cvv2: canary.cvv2 } })).status).toBe(200);
    const row = await api.database.db().card.findUnique({ where: { id: card.id } });
    expect(row?.cvv2_sealed?.length).toBeGreaterThan(28);
    expect(Buffer.from(row?.cvv2_sealed ?? []).includes(canary.cvv2)).toBe(false);
  });

  it.each([
    ['month 13', { expiration_month: '13' }, 1001],
    ['a blank name', { holder_name: '' }, 1001],
    ['a name of 81 characters', { holder_name: 'x'.repeat(81) }, 1001],
    ['letters in cvv2', { cvv2: 'abc' }, 1001],
    ['a year in the past', { expiration_year: '25' }, 2005],
    ['a cvv2 of the wrong length', { cvv2: '1234' }, 2009],
  ])('refuses %s and changes nothing', async (_, change, code) => {
    const { body: card } = await save('/cards', visa);
    expect(errorOf(await api.rest('PUT', `/cards/${card.id}`, { body: { holder_name: 'Ana', ...change } }))).toBe(code);
    expect((await api.rest('GET', `/cards/${card.id}`)).body).toEqual(card);
  });
});

describe('DELETE …/cards/:card_id', () => {
  it('deletes the card number; afterwards the card is not found', async () => {
    const { body: card } = await save('/cards', visa);
    await api.rest('PUT', `/cards/${card.id}`, { body: { cvv2: canary.cvv2 } });
    expect((await api.rest('DELETE', `/cards/${card.id}`)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) expect(errorOf(await api.rest(method, `/cards/${card.id}`))).toBe(1005);
    expect(await api.database.db().card.findUnique({ where: { id: card.id } })).toMatchObject({
      status: 'deleted',
      card_number: masked(canary.visa),
      number_sealed: null,
      cvv2_sealed: null,
      fingerprint: null,
    });
  });

  it('is included in the deletion of a customer, also for cards that are saved at the same time', async () => {
    const owner = await newCustomer();
    const numbers = [canary.visa, canary.mastercard, '5555555555554444', '4242424242424242', '5105105105105100'];
    const [deleted, ...answers] = await Promise.all([
      api.rest('DELETE', `/customers/${owner}`),
      ...numbers.map(card_number => save(`/customers/${owner}/cards`, { ...visa, card_number })),
    ]);
    expect(deleted.status).toBe(204);
    for (const answer of answers) expect([201, 404]).toContain(answer.status);
    expect(await api.database.db().card.count({ where: { customer_id: owner, status: 'active' } })).toBe(0);
    expect(await api.database.db().card.count({ where: { customer_id: owner, number_sealed: { not: null } } })).toBe(0);
  });
});

describe('GraphQL', () => {
  it('saves, returns, changes, lists and deletes the same cards as REST', async () => {
    const fields =
      'id creation_date holder_name card_number expiration_month expiration_year address { city } allows_charges allows_payouts brand type bank_name bank_code customer_id';
    const owner = await newCustomer();
    const created = await api.graphql(
      `mutation($c: CreateCard!, $o: ID) { createCard(card: $c, customer_id: $o) { ${fields} } }`,
      {
        c: visa,
        o: owner,
      },
    );
    const card = created.body.data.createCard;
    expect((await api.rest('GET', `/customers/${owner}/cards/${card.id}`)).body).toEqual(card);
    const cardArguments = `card_id: "${card.id}", customer_id: "${owner}"`;
    const changed = await api.graphql(
      `mutation { updateCard(${cardArguments}, card: { holder_name: "Ana" }) { holder_name } }`,
    );
    expect(changed.body.data.updateCard).toEqual({ holder_name: 'Ana' });
    const listed = await api.graphql(
      `{ cards(customer_id: "${owner}") { nodes { id } } own: cards(customer_id: null) { nodes { customer_id } } }`,
    );
    expect(listed.body.data.cards.nodes).toEqual([{ id: card.id }]);
    expect(new Set(listed.body.data.own.nodes.map((own: { customer_id: null }) => own.customer_id))).toEqual(
      new Set([null]),
    );
    expect(errorOf(await api.graphql(`{ card(card_id: "${card.id}") { id } }`))).toBe(1005);
    expect(errorOf(await api.graphql(`{ card(card_id: "${card.id}", customer_id: "") { id } }`))).toBe(1005);
    expect((await api.graphql(`mutation { deleteCard(${cardArguments}) { id } }`)).body.data.deleteCard).toEqual({
      id: card.id,
    });
    const declined = { c: { ...visa, card_number: '4000000000000044' } };
    const refused = await api.graphql('mutation($c: CreateCard!) { createCard(card: $c) { id } }', declined);
    expect(refused.body.errors[0].extensions).toMatchObject({
      error_code: 3005,
      category: 'gateway',
      fraud_rules: [expect.any(String), expect.any(String)],
    });
    const number = { c: { ...visa, card_number: 4929381533287748 } };
    expect(errorOf(await api.graphql('mutation($c: CreateCard!) { createCard(card: $c) { id } }', number))).toBe(1001);
  });
});
