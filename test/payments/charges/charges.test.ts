import { testNumbers } from '../../../src/payments/cardDetails/testNumbers';
import { errorCodeOf } from '../../../src/platform/errors';
import { canary } from '../../harness/cards/canaries';
import { shownVisa, visa } from '../../harness/cards/testCards';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const { post, charge, payer } = shop;
let card: string;
let customer: string;
let customerCard: string;
beforeAll(async () => {
  card = await shop.newCard();
  customer = await shop.newCustomer();
  customerCard = await shop.newCard(`/customers/${customer}/cards`);
});
const countTransactions = () => api.database.db().transaction.count({ where: api.ownRows() });
const entriesOf = async (transaction_id: string) =>
  Object.fromEntries(
    (await api.database.db().entry.findMany({ where: { transaction_id } })).map(({ account, amount }) => [
      account.split(' ')[0],
      Number(amount),
    ]),
  );
const eventsOf = (object_id: string) =>
  api.database.db().event.findMany({ where: { object_id }, orderBy: { creation_date: 'asc' } });

describe('POST /charges', () => {
  it('charges a saved card, returns the charge, and posts it to the ledger with its cost', async () => {
    const before = await shop.merchantBalance();
    const request = { ...charge, source_id: card, customer: payer, order_id: 'order-1', metadata: { color: 'rojo' } };
    const { status, body } = await post('/charges', request);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^t[a-z0-9]{19}$/),
      amount: 100000,
      authorization: expect.stringMatching(/^\d{6}$/),
      method: 'card',
      operation_type: 'in',
      transaction_type: 'charge',
      status: 'completed',
      conciliated: false,
      currency: 'COP',
      creation_date: expect.stringMatching(/-05:00$/),
      operation_date: expect.stringMatching(/-05:00$/),
      description: 'Order',
      error_message: null,
      order_id: 'order-1',
      iva: '19%',
      tax: { base: 84033.61, rate: 19, amount: 15966.39 },
      card: {
        id: card,
        ...shownVisa,
        address: null,
        type: null,
        bank_name: null,
        bank_code: null,
        allows_charges: true,
        allows_payouts: false,
      },
      customer: {
        name: 'María',
        last_name: null,
        email: 'maria@example.com',
        phone_number: null,
        address: null,
        creation_date: expect.stringMatching(/-05:00$/),
        external_id: null,
      },
      fee: { amount: 3800, tax: 722, currency: 'COP' },
      metadata: { color: 'rojo' },
    });
    expect((await api.rest('GET', `/charges/${body.id}`)).body).toEqual(body);
    expect(await shop.merchantBalance()).toBe(before + 100000 - 3800 - 722);
    expect(await entriesOf(body.id)).toEqual({
      clearing: -10000000,
      merchant: 10000000 - 452200,
      costs: 380000,
      tax: 72200,
    });
    expect(await eventsOf(body.id)).toMatchObject([{ type: 'charge.succeeded', object: body }]);
    expect(shop.journalOf(body.id)).toMatchObject([{ operation: 'charge', amount: 10000000, outcome: 'approved' }]);
    expect(
      await api.database.db().customer.count({ where: { name: 'María', merchant_id: api.merchants().own.id } }),
    ).toBe(1);
  });

  it('charges a token once and deletes its card number', async () => {
    const token = await shop.newToken();
    const { status, body } = await post('/charges', { ...charge, source_id: token, customer: payer });
    expect([status, body.status, body.card.id]).toEqual([200, 'completed', undefined]);
    expect(errorOf(await post('/charges', { ...charge, source_id: token, customer: payer }))).toBe(1003);
    expect(await api.database.db().token.findUnique({ where: { id: token } })).toMatchObject({
      number_sealed: null,
      cvv2_sealed: null,
      used_by: body.id,
    });
  });

  it('creates one of fifty concurrent charges of a token with one acquirer call; the remaining ones fail with 1003', async () => {
    const [source_id, before] = [await shop.newToken(), api.acquirer.journal().length];
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => post('/charges', { ...charge, source_id, customer: payer })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(answer => errorOf(answer) === 1003)).toHaveLength(49);
    expect(api.acquirer.journal().length).toBe(before + 1);
  });

  it('rounds the cost half up to the centavo', async () => {
    const { body } = await post('/charges', { ...charge, source_id: card, customer: payer, amount: '100.17' });
    // 2.9 % of 100.17 is 2.90493; with the fixed 900.00 the cost is 902.90; 19 % of that is 171.551.
    expect([body.amount, body.fee]).toEqual([100.17, { amount: 902.9, tax: 171.55, currency: 'COP' }]);
  });

  it('accepts numbers as strings, words in any letter case, and metadata as a list', async () => {
    const request = {
      ...charge,
      source_id: card,
      customer: { ...payer, last_name: 'Gómez' },
      method: 'CARD',
      currency: 'cop',
      amount: '100.00',
      iva: 19.5,
      order_id: 4711,
      capture: 'true',
      use_3d_secure: 'false',
      metadata: [{ key: 'a', value: 'b' }],
      unknown: 1,
    };
    const { status, body } = await post('/charges', request);
    expect([status, body.amount, body.iva, body.order_id, body.metadata]).toEqual([
      200,
      100,
      '19.5',
      '4711',
      { a: 'b' },
    ]);
  });

  it.each([
    ['no method', { method: undefined }, 1001],
    ['an unknown method', { method: 'cheque' }, 1003],
    ['no amount', { amount: undefined }, 1001],
    ['null as amount', { amount: null }, 1001],
    ['amount 0', { amount: 0 }, 1003],
    ['a negative amount', { amount: -5 }, 1003],
    ['an amount with three decimals', { amount: 1.234 }, 1003],
    ['an amount with a thousands separator', { amount: '1,000' }, 1001],
    ['10^15', { amount: 10 ** 15 }, 1003],
    ['10^31', { amount: 1e31 }, 1003],
    ['an amount with seven decimals', { amount: 1e-7 }, 1003],
    ['NaN', { amount: 'NaN' }, 1001],
    ['a boolean as amount', { amount: true }, 1001],
    ['currency usd', { currency: 'usd' }, 1003],
    ['no currency', { currency: undefined }, 1001],
    ['a currency that is a number', { currency: 5 }, 1001],
    ['no iva', { iva: undefined }, 1001],
    ['no description', { description: undefined }, 1001],
    ['a description of 251 characters', { description: 'x'.repeat(251) }, 1001],
    ['an order_id of 101 characters', { order_id: 'x'.repeat(101) }, 1001],
    ['an order_id that is an object', { order_id: {} }, 1001],
    ['metadata with nested objects', { metadata: { a: { b: 'c' } } }, 1001],
    ['metadata that is a string', { metadata: 'a' }, 1001],
    ['no source_id', { source_id: undefined }, 1001],
    ['null as source_id', { source_id: null }, 1001],
    ['a source_id of 46 characters', { source_id: 'x'.repeat(46) }, 1001],
    ['an unknown source_id', { source_id: 'k0000000000000000000' }, 1003],
    ['no device_session_id', { device_session_id: undefined }, 1001],
    ['a device_session_id of 256 characters', { device_session_id: 'x'.repeat(256) }, 1001],
    ['no customer', { customer: undefined }, 1001],
    ['a customer without e-mail', { customer: { name: 'x' } }, 1001],
    ['letters in cvv2', { cvv2: 'abc' }, 1001],
    ['3-D Secure', { use_3d_secure: true }, 1003],
    ['3-D Secure on a payment page', { use_3d_secure: true, confirm: false, redirect_url: 'https://a.example' }, 1003],
    ['a cvv2 of five digits', { cvv2: '12345' }, 2009],
    ['a malformed field before an invalid value', { currency: 'usd', description: 'x'.repeat(251) }, 1001],
    ['a missing field before an invalid value', { amount: 0, iva: undefined }, 1001],
  ])('refuses %s and moves no money', async (_, change, code) => {
    const before = [await countTransactions(), api.acquirer.journal().length];
    expect(errorOf(await post('/charges', { ...charge, source_id: card, customer: payer, ...change }))).toBe(code);
    expect([await countTransactions(), api.acquirer.journal().length]).toEqual(before);
  });

  it('does not store or return a card number that was sent as source_id by mistake', async () => {
    const card_number = canary.visa;
    const sent = { ...charge, source_id: card_number, customer: payer };
    const headers = { 'Idempotency-Key': 'a number as source_id' };
    const refused = await api.rest('POST', '/charges', { body: sent, headers });
    expect(errorOf(refused)).toBe(1003);
    expect(JSON.stringify(refused.body)).not.toContain(card_number);
    const where = { key: headers['Idempotency-Key'] };
    const [stored] = await api.database.db().idempotentReply.findMany({ where });
    expect(stored?.body).toContain('1003');
    expect(stored?.body).not.toContain(card_number);
  });

  it('accepts 1e3 as amount, an empty order_id like an omitted one, and emoji', async () => {
    const body = `{"method":"card","amount":1e3,"currency":"COP","iva":"19","description":"🎁","order_id":"","device_session_id":"d","source_id":"${card}","customer":{"name":"M","email":"m@e.co"}}`;
    const created = await api.rest('POST', '/charges', { body });
    expect([created.status, created.body.amount, created.body.order_id]).toEqual([200, 1000, null]);
    expect(
      (await post('/charges', { ...charge, source_id: card, customer: payer, order_id: '🎁' })).body.order_id,
    ).toBe('🎁');
  });

  it('fails with 1003 for a customer’s card and for a card of another merchant', async () => {
    const { other } = api.merchants();
    const foreign = await sendRequest(`${api.origin()}/v1/${other.id}/cards`, 'POST', {
      key: other.private_key,
      body: visa,
    });
    for (const source_id of [customerCard, foreign.body.id])
      expect(errorOf(await post('/charges', { ...charge, source_id, customer: payer }))).toBe(1003);
  });

  it('uses a stored cvv2 only for the next charge', async () => {
    const cardWithCvv2 = await shop.newCard();
    await api.rest('PUT', `/cards/${cardWithCvv2}`, { body: { cvv2: canary.cvv2 } });
    expect((await post('/charges', { ...charge, source_id: cardWithCvv2, customer: payer })).status).toBe(200);
    expect(await api.database.db().card.findUnique({ where: { id: cardWithCvv2 } })).toMatchObject({
      cvv2_sealed: null,
      cvv2_date: null,
    });
  });
});

describe('a declined charge', () => {
  it.each([...testNumbers.values()].filter(({ always }) => always))('$number: $about', async ({ number, always }) => {
    const token = await shop.newToken(number);
    const order_id = `declined-${always}`;
    const answer = await post('/charges', { ...charge, source_id: token, customer: payer, order_id });
    const code = errorCodeOf(always ?? 'internal');
    expect(answer.body).toMatchObject({ error_code: code, http_code: answer.status, category: 'gateway' });
    expect('fraud_rules' in answer.body).toBe(always === 'fraud');
    const [failed] = (await api.rest('GET', `/charges?order_id=${order_id}`)).body;
    expect(failed).toMatchObject({
      status: 'failed',
      error_code: code,
      error_message: expect.any(String),
      authorization: null,
    });
    expect('fee' in failed).toBe(false);
    expect(await entriesOf(failed.id)).toEqual({});
    expect(await eventsOf(failed.id)).toMatchObject([{ type: 'charge.failed' }]);
    expect(errorOf(await post('/charges', { ...charge, source_id: card, customer: payer, order_id }))).toBe(1006);
  });
});
