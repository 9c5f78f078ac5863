/** In Colombia 100.000 means a hundred thousand, so requests refuse amounts that may have a thousands separator. */
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { errorOf, testApi } from '../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);

/** Amounts as they appear in the JSON text. */
const SEPARATED = ['"100.000"', '"49.900"', '"1.0000"', '100.000', '9999999999999.991'];
const NO_AMOUNT = ['"1,000"', '"1e3"', '" 1000"', '"-1000"', '"+1000"', '"1000 "'];
const ACCEPTED = ['1000', '"1000"', '1000.00', '"1000.5"', '59500.0000', '1.0E7'];

const withAmount = (body: object, amount: string): string =>
  JSON.stringify({ ...body, amount: 0 }).replace('"amount":0', `"amount":${amount}`);

let paths: [string, object][];
let customer_id: string;
beforeAll(async () => {
  const card = await shop.newCard();
  customer_id = await shop.newCustomer();
  const charge = await shop.newCharge(card);
  const authorized = await shop.newCharge(card, { capture: false });
  paths = [
    ['/charges', { ...shop.charge, source_id: card, customer: shop.payer }],
    ['/charges', shop.redirect],
    ['/charges', shop.store],
    [`/charges/${charge}/refund`, { description: 'Returned' }],
    [`/charges/${authorized}/capture`, {}],
    ['/pse', shop.pse],
    ['/plans', shop.plan],
    ['/fees', { customer_id, description: 'Fee' }],
  ];
});

const counts = async (): Promise<number[]> => {
  const db = api.database.db();
  const own = { where: api.ownRows() };
  return Promise.all([db.transaction.count(own), db.plan.count(own), db.event.count(own)]);
};

it.each(SEPARATED)('every body with an amount fails with 422/1003 for %s, and nothing is written', async amount => {
  const before = await counts();
  for (const [path, body] of paths) {
    const answer = await api.rest('POST', path, { body: withAmount(body, amount) });
    expect([path, answer.status, answer.body]).toEqual([
      path,
      422,
      expect.objectContaining({
        error_code: 1003,
        description: expect.stringMatching(/^amount has three decimals or more: write thousands/),
      }),
    ]);
  }
  expect(await counts()).toEqual(before);
});

it.each(NO_AMOUNT)('every body with an amount fails with 400/1001 for %s', async amount => {
  for (const [path, body] of paths)
    expect([path, errorOf(await api.rest('POST', path, { body: withAmount(body, amount) }))]).toEqual([path, 1001]);
});

it.each(ACCEPTED)('the API accepts %s', async amount => {
  const answer = await api.rest('POST', '/plans', { body: withAmount(shop.plan, amount) });
  expect([answer.status, answer.body.amount]).toEqual([201, Number(JSON.parse(amount))]);
});

describe('GraphQL', () => {
  const { amount: _, ...plan } = { ...shop.plan, repeat_unit: 'month', status_after_retry: 'unpaid' };
  const fields = Object.entries(plan)
    .map(([name, value]) => `${name}: ${/^(month|unpaid)$/.test(String(value)) ? value : JSON.stringify(value)}`)
    .join(', ');
  const literal = (amount: string) =>
    api.graphql(`mutation { createPlan(plan: { ${fields}, amount: ${amount} }) { amount } }`);
  const variable = (amount: string) =>
    api.graphql(
      '',
      {},
      {
        body: `{"query":"mutation ($amount: Money!) { createPlan(plan: { ${fields.replaceAll('"', '\\"')}, amount: $amount }) { amount } }","variables":{"amount":${amount}}}`,
      },
    );

  it.each(SEPARATED)('fails with 1003 for %s, in the document and as a variable', async amount => {
    expect([errorOf(await literal(amount)), errorOf(await variable(amount))]).toEqual([1003, 1003]);
  });

  it.each(ACCEPTED)('accepts %s, in the document and as a variable', async amount => {
    for (const answer of [await literal(amount), await variable(amount)])
      expect(answer.body.data).toEqual({ createPlan: { amount: Number(JSON.parse(amount)) } });
  });
});

it('amount filters also refuse thousands separators', async () => {
  for (const name of ['amount', 'amount[gte]', 'amount[lte]'])
    expect(errorOf(await api.rest('GET', `/charges?${name}=100.000`))).toBe(1003);
});
