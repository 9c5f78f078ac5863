import { codeOf } from '../../src/errors';
import { testNumbers } from '../../src/printed/testNumbers';
import { type Answer, ask, errorOf, testApi } from '../harness/api';
import { canary } from '../harness/canaries';
import { amex, masked, visa } from '../harness/cards';

const api = testApi();
let customer: string;
const newCustomer = async (): Promise<string> =>
  (await api.rest('POST', '/customers', { body: { name: 'María', email: 'maria@example.com' } })).body.id;
beforeAll(async () => {
  customer = await newCustomer();
});

const levels = [
  ['/cards', () => '/cards'],
  ['/customers/:customer_id/cards', () => `/customers/${customer}/cards`],
] as const;
const save = (path: string, body: object): Promise<Answer> => api.rest('POST', path, { body });
const cardRows = () => api.database.db().card.count();

describe.each(levels)('POST %s', (level, path) => {
  it('saves a card and shows it masked, at its own address', async () => {
    const { status, body, headers } = await save(path(), { ...visa, device_session_id: 'device' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^k[a-z0-9]{19}$/),
      creation_date: expect.stringMatching(/-05:00$/),
      holder_name: 'María Gómez',
      card_number: masked(canary.visa),
      expiration_month: '12',
      expiration_year: '39',
      address: null,
      allows_charges: true,
      allows_payouts: false,
      brand: 'visa',
      type: 'credit',
      bank_name: 'Unknown',
      bank_code: '000',
      customer_id: level === '/cards' ? null : customer,
    });
    expect(headers.get('resource-id')).toBe(body.id);
    expect((await api.rest('GET', `${path()}/${body.id}`)).body).toEqual(body);
    await api.rest('DELETE', `${path()}/${body.id}`);
  });

  it('takes digits as numbers, spaces and dashes, one-digit months and four-digit years', async () => {
    const spaced = `${canary.mastercard.slice(0, 4)} ${canary.mastercard.slice(4, 8)}-${canary.mastercard.slice(8)}`;
    const loose = { ...visa, card_number: spaced, cvv2: 917, expiration_month: 1, expiration_year: 2039 };
    const { status, body } = await save(path(), loose);
    expect([status, body.brand, body.expiration_month, body.expiration_year]).toEqual([201, 'mastercard', '01', '39']);
    const asNumber = `{"card_number": ${canary.long}, "holder_name": "M", "cvv2": 917, "expiration_month": 12, "expiration_year": 39}`;
    const long = await api.rest('POST', path(), { body: asNumber });
    expect([long.status, long.body.card_number]).toEqual([201, masked(canary.long)]);
  });

  it.each([
    ['no holder_name', { holder_name: undefined }, 1001],
    ['an empty holder_name', { holder_name: ' ' }, 1001],
    ['a holder_name of 81 characters', { holder_name: 'x'.repeat(81) }, 1001],
    ['a holder_name that is a number', { holder_name: 7 }, 1001],
    ['no card_number', { card_number: null }, 1001],
    ['letters in card_number', { card_number: 'abcd' }, 1001],
    ['an object as card_number', { card_number: {} }, 1001],
    ['Arabic-Indic digits', { card_number: '٤١١١١١١١١١١١١١١١' }, 1001],
    ['17 digits', { card_number: '41111111111111111' }, 1001],
    ['13 digits', { card_number: '4222222222222' }, 1001],
    ['15 digits that are not American Express', { card_number: '411111111111116' }, 1001],
    ['14 digits that are not Diners', { card_number: '41111111111116' }, 1001],
    ['20 digits', { card_number: '4'.repeat(20) }, 1001],
    ['a number that is longer than any', { card_number: '4'.repeat(500) }, 1001],
    ['month 00', { expiration_month: '00' }, 1001],
    ['month 13', { expiration_month: 13 }, 1001],
    ['a month that is a word', { expiration_month: 'May' }, 1001],
    ['no month', { expiration_month: undefined }, 1001],
    ['a year of three digits', { expiration_year: '039' }, 1001],
    ['a year of the last century', { expiration_year: '1999' }, 1001],
    ['no year', { expiration_year: null }, 1001],
    ['letters in cvv2', { cvv2: 'abc' }, 1001],
    ['true as cvv2', { cvv2: true }, 1001],
    ['a device_session_id of 256 characters', { device_session_id: 'x'.repeat(256) }, 1001],
    ['no cvv2', { cvv2: undefined }, 2006],
    ['null as cvv2', { cvv2: null }, 2006],
    ['an empty cvv2', { cvv2: '' }, 2006],
    ['a wrong check digit', { card_number: '4929381533287741' }, 2004],
    ['an expiration in the past', { expiration_month: '10', expiration_year: '26' }, 2005],
    ['a cvv2 of two digits', { cvv2: '12' }, 2009],
    ['a cvv2 of four digits on a visa', { cvv2: '1234' }, 2009],
    ['a cvv2 of three digits on an American Express', { card_number: canary.amex, cvv2: '123' }, 2009],
  ])('refuses %s and keeps nothing', async (_, change, code) => {
    const before = await cardRows();
    const journal = api.acquirer.journal().length;
    expect(errorOf(await save(path(), { ...visa, ...change }))).toBe(code);
    expect([await cardRows(), api.acquirer.journal().length]).toEqual([before, journal]);
  });

  it('checks in the decided order: form, cvv2 given, check digit, expiration, length of cvv2', async () => {
    const wrongs = [
      [1001, { expiration_month: '13' }],
      [2006, { cvv2: undefined }],
      [2004, { card_number: '4929381533287741' }],
      [2005, { expiration_year: '25' }],
      [2009, { cvv2: '1' }],
    ] as const;
    for (const [i, [code]] of wrongs.entries()) {
      const rest = wrongs.slice(i).toReversed();
      // Missing or of the wrong length are two sides of one field: the one that comes first wins.
      const body = Object.assign({}, visa, ...rest.map(([, change]) => change));
      expect(errorOf(await save(path(), body))).toBe(code);
    }
  });

  it('is good until the end of its month', async () => {
    const here = new Date(Date.now() - 5 * 3_600_000);
    const month = String(here.getUTCMonth() + 1);
    const body = {
      ...visa,
      card_number: '5555555555554444',
      expiration_month: month,
      expiration_year: here.getUTCFullYear(),
    };
    expect((await save(path(), body)).status).toBe(201);
  });

  it.each([...testNumbers.values()].filter(({ always }) => always))(
    'refuses the test number $number: $about',
    async ({ number, always }) => {
      const before = await cardRows();
      const { body, status } = await save(path(), { ...visa, card_number: number });
      expect(body).toMatchObject({ error_code: codeOf(always ?? 'internal'), http_code: status, category: 'gateway' });
      expect('fraud_rules' in body).toBe(always === 'fraud');
      if (always === 'fraud') expect(body.fraud_rules).toEqual([expect.any(String), expect.any(String)]);
      expect(await cardRows()).toBe(before);
    },
  );
});

describe('brands', () => {
  it.each([
    [amex, 'american express'],
    [{ ...visa, card_number: '36728481533333' }, 'diners'],
    [{ ...visa, card_number: '5105105105105100' }, 'mastercard'],
    [{ ...visa, card_number: '5062540000000009' }, 'carnet'],
    [{ ...visa, card_number: '6011111111111117' }, 'discover'],
  ])('%#: come from the range of the number', async (card, brand) => {
    const { body } = await save('/cards', card);
    expect([body.brand, body.card_number]).toEqual([brand, masked(card.card_number)]);
  });

  it('says debit and pays out where the range is a debit one', async () => {
    const { body } = await save('/cards', { ...visa, card_number: '5105105105105100' });
    expect(body).toMatchObject({ type: 'debit', allows_payouts: true, bank_name: 'Davivienda', bank_code: '051' });
  });
});

describe('the same number again', () => {
  it('2002 for the same customer; not for another one, nor for the merchant, nor after the first was deleted', async () => {
    const [one, two] = [await newCustomer(), await newCustomer()];
    const first = await save(`/customers/${one}/cards`, visa);
    expect(errorOf(await save(`/customers/${one}/cards`, { ...visa, holder_name: 'Other' }))).toBe(2002);
    expect((await save(`/customers/${two}/cards`, visa)).status).toBe(201);
    expect((await save('/cards', visa)).status).toBe(201);
    expect((await save('/cards', visa)).status).toBe(201);
    await api.rest('DELETE', `/customers/${one}/cards/${first.body.id}`);
    expect((await save(`/customers/${one}/cards`, visa)).status).toBe(201);
  });

  it('fifty at once: one is saved, the rest are 2002', async () => {
    const one = await newCustomer();
    const answers = await Promise.all(Array.from({ length: 50 }, () => save(`/customers/${one}/cards`, amex)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(answer => errorOf(answer) === 2002)).toHaveLength(49);
    expect((await api.rest('GET', `/customers/${one}/cards`)).body).toHaveLength(1);
  });

  it('fifty at once under one Idempotency-Key: one card, one verification, fifty equal answers', async () => {
    const one = await newCustomer();
    const before = api.acquirer.journal().length;
    const asked = { body: amex, headers: { 'idempotency-key': `cards-${one}` } };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => api.rest('POST', `/customers/${one}/cards`, asked)),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(api.acquirer.journal().length).toBe(before + 1);
  });
});

describe('the two levels', () => {
  it('are apart: a card is found, listed, changed and deleted at its own only', async () => {
    const [one, two] = [await newCustomer(), await newCustomer()];
    const own = (await save('/cards', visa)).body.id;
    const theirs = (await save(`/customers/${one}/cards`, visa)).body.id;
    for (const path of [`/cards/${theirs}`, `/customers/${one}/cards/${own}`, `/customers/${two}/cards/${theirs}`]) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await api.rest(method, path, method === 'PUT' ? { body: '{"cvv2": {}}' } : {});
        expect([method, path, errorOf(answer)]).toEqual([method, path, 1005]);
      }
    }
    expect((await api.rest('GET', `/customers/${one}/cards`)).body.map(({ id }: { id: string }) => id)).toEqual([
      theirs,
    ]);
    expect((await api.rest('GET', '/cards?limit=1')).body.map(({ id }: { id: string }) => id)).toEqual([own]);
  });

  it('1005 where the customer or the card is not there, or another merchant’s, whatever the body', async () => {
    const { other } = api.merchants();
    const url = `${api.origin()}/v1/${other.id}/customers`;
    const body = { name: 'Other', email: 'other@example.com' };
    const foreign = (await ask(url, 'POST', { key: other.private_key, body })).body.id;
    const theirs = await ask(`${api.origin()}/v1/${other.id}/cards`, 'POST', { key: other.private_key, body: visa });
    for (const path of [`/cards/${theirs.body.id}`, `/customers/${customer}/cards/${theirs.body.id}`])
      for (const method of ['GET', 'PUT', 'DELETE']) expect(errorOf(await api.rest(method, path))).toBe(1005);
    for (const id of ['a0000000000000000000', foreign]) {
      for (const sent of [visa, {}, { ...visa, cvv2: undefined }])
        expect(errorOf(await save(`/customers/${id}/cards`, sent))).toBe(1005);
      expect(errorOf(await api.rest('GET', `/customers/${id}/cards`))).toBe(1005);
    }
  });
});

describe('GET …/cards', () => {
  it('lists newest first, by offset, limit and day', async () => {
    const one = await newCustomer();
    const ids: string[] = [];
    for (const card_number of [canary.visa, canary.mastercard, '5555555555554444'])
      ids.unshift((await save(`/customers/${one}/cards`, { ...visa, card_number })).body.id);
    const list = async (query: string) =>
      (await api.rest('GET', `/customers/${one}/cards${query}`)).body.map(({ id }: { id: string }) => id);
    expect(await list('')).toEqual(ids);
    expect(await list('?offset=1&limit=1')).toEqual([ids[1]]);
    expect(await list('?creation=2020-01-01')).toEqual([]);
    expect(errorOf(await api.rest('GET', `/customers/${one}/cards?limit=0`))).toBe(1003);
    const window = `query($c: ID!, $after: String) { cardsConnection(customer_id: $c, first: 2, after: $after) {
      edges { node { id } } pageInfo { hasNextPage endCursor } } }`;
    const first = (await api.graphql(window, { c: one })).body.data.cardsConnection;
    const next = (await api.graphql(window, { c: one, after: first.pageInfo.endCursor })).body.data.cardsConnection;
    const nodes = [...first.edges, ...next.edges].map(({ node }: { node: { id: string } }) => node.id);
    expect([nodes, first.pageInfo.hasNextPage, next.pageInfo.hasNextPage]).toEqual([ids, true, false]);
  });
});

describe('PUT …/cards/:card_id', () => {
  it('changes what is given, answers an empty object, and ignores the rest of an object that was received', async () => {
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

  it('keeps a cvv2 sealed for the next charge', async () => {
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
    ['a cvv2 of letters', { cvv2: 'abc' }, 1001],
    ['a year that has passed', { expiration_year: '25' }, 2005],
    ['a cvv2 of the wrong length', { cvv2: '1234' }, 2009],
  ])('refuses %s and changes nothing', async (_, change, code) => {
    const { body: card } = await save('/cards', visa);
    expect(errorOf(await api.rest('PUT', `/cards/${card.id}`, { body: { holder_name: 'Ana', ...change } }))).toBe(code);
    expect((await api.rest('GET', `/cards/${card.id}`)).body).toEqual(card);
  });
});

describe('DELETE …/cards/:card_id', () => {
  it('destroys the number at once and is done once', async () => {
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

  it('goes with its customer, also when card and deletion meet', async () => {
    const one = await newCustomer();
    const numbers = [canary.visa, canary.mastercard, '5555555555554444', '4242424242424242', '5105105105105100'];
    const [deleted, ...answers] = await Promise.all([
      api.rest('DELETE', `/customers/${one}`),
      ...numbers.map(card_number => save(`/customers/${one}/cards`, { ...visa, card_number })),
    ]);
    expect(deleted.status).toBe(204);
    for (const answer of answers) expect([201, 404]).toContain(answer.status);
    expect(await api.database.db().card.count({ where: { customer_id: one, status: 'active' } })).toBe(0);
    expect(await api.database.db().card.count({ where: { customer_id: one, number_sealed: { not: null } } })).toBe(0);
  });
});

describe('production', () => {
  it('2007 for every test number, before the acquirer is asked; other numbers are verified there', async () => {
    const { id, private_key: key } = api.merchants().production;
    const post = (path: string, card_number: string) =>
      ask(`${api.origin('production')}/v1/${id}${path}`, 'POST', {
        key,
        body: { ...visa, card_number, cvv2: /^3[47]/.test(card_number) ? '1234' : '123' },
      });
    const before = api.acquirer.journal().length;
    for (const number of testNumbers.keys()) {
      for (const path of ['/cards', '/tokens'])
        expect([number, errorOf(await post(path, number))]).toEqual([number, 2007]);
    }
    expect(api.acquirer.journal().length).toBe(before);
    expect((await post('/cards', canary.visa)).status).toBe(201);
  });
});

describe('both doors', () => {
  it('save, show, change, list and delete the same card', async () => {
    const fields =
      'id creation_date holder_name card_number expiration_month expiration_year address { city } allows_charges allows_payouts brand type bank_name bank_code customer_id';
    const one = await newCustomer();
    const made = await api.graphql(
      `mutation($c: CreateCard!, $o: ID) { createCard(card: $c, customer_id: $o) { ${fields} } }`,
      {
        c: visa,
        o: one,
      },
    );
    const card = made.body.data.createCard;
    expect((await api.rest('GET', `/customers/${one}/cards/${card.id}`)).body).toEqual(card);
    const where = `card_id: "${card.id}", customer_id: "${one}"`;
    const changed = await api.graphql(
      `mutation { updateCard(${where}, card: { holder_name: "Ana" }) { holder_name } }`,
    );
    expect(changed.body.data.updateCard).toEqual({ holder_name: 'Ana' });
    const listed = await api.graphql(
      `{ cards(customer_id: "${one}") { id } own: cards(customer_id: null) { customer_id } }`,
    );
    expect(listed.body.data.cards).toEqual([{ id: card.id }]);
    expect(new Set(listed.body.data.own.map((own: { customer_id: null }) => own.customer_id))).toEqual(new Set([null]));
    expect(errorOf(await api.graphql(`{ card(card_id: "${card.id}") { id } }`))).toBe(1005);
    expect(errorOf(await api.graphql(`{ card(card_id: "${card.id}", customer_id: "") { id } }`))).toBe(1005);
    expect((await api.graphql(`mutation { deleteCard(${where}) }`)).body.data).toEqual({ deleteCard: true });
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
