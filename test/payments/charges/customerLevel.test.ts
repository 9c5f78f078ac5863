import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { errorOf, testApi } from '../../harness/servers/api';

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

describe('at customer level', () => {
  it('credits the customer’s account, and the merchant pays the cost', async () => {
    const before = await shop.merchantBalance();
    const { status, body } = await post(`/customers/${customer}/charges`, { ...charge, source_id: customerCard });
    expect([status, body.customer_id, 'customer' in body]).toEqual([200, customer, false]);
    expect(await shop.customerBalance(customer)).toBe(100000);
    expect(await shop.merchantBalance()).toBe(before - 4522);
    expect((await api.rest('GET', `/customers/${customer}/charges/${body.id}`)).body).toEqual(body);
    expect((await api.rest('GET', `/charges/${body.id}`)).body).toEqual(body);
  });

  it('credits the merchant if the customer has no account', async () => {
    const withoutAccount = await shop.newCustomer({ requires_account: false });
    const source_id = await shop.newCard(`/customers/${withoutAccount}/cards`);
    const before = await shop.merchantBalance();
    await post(`/customers/${withoutAccount}/charges`, { ...charge, source_id });
    expect(await shop.customerBalance(withoutAccount)).toBe(0);
    expect(await shop.merchantBalance()).toBe(before + 100000 - 4522);
  });

  it('fails with 1003 for customer in the body or a card of another owner, and with 1005 for a deleted customer', async () => {
    const path = `/customers/${customer}/charges`;
    expect(errorOf(await post(path, { ...charge, source_id: customerCard, customer: payer }))).toBe(1003);
    expect(errorOf(await post(path, { ...charge, source_id: card }))).toBe(1003);
    const another = await shop.newCustomer();
    expect(errorOf(await post(`/customers/${another}/charges`, { ...charge, source_id: customerCard }))).toBe(1003);
    await api.rest('DELETE', `/customers/${another}`);
    expect(errorOf(await post(`/customers/${another}/charges`, { ...charge, source_id: customerCard }))).toBe(1005);
    expect(errorOf(await api.rest('GET', `/customers/${another}/charges`))).toBe(1005);
  });

  it('fails with 3006 when a customer with a balance or an unfinished charge is deleted', async () => {
    expect(errorOf(await api.rest('DELETE', `/customers/${customer}`))).toBe(3006);
    const another = await shop.newCustomer({ requires_account: false });
    const source_id = await shop.newCard(`/customers/${another}/cards`);
    const { body } = await post(`/customers/${another}/charges`, { ...charge, source_id, capture: false });
    expect(errorOf(await api.rest('DELETE', `/customers/${another}`))).toBe(3006);
    await post(`/charges/${body.id}/refund`, {});
    expect((await api.rest('DELETE', `/customers/${another}`)).status).toBe(204);
    expect((await api.rest('GET', `/charges/${body.id}`)).body.status).toBe('cancelled');
  });
});

describe('GET /charges', () => {
  it('filters by order_id, amount, status and day, and sorts newest first', async () => {
    const payingCustomer = await shop.newCustomer({ requires_account: false });
    const path = `/customers/${payingCustomer}/charges`;
    const source_id = await shop.newCard(`/customers/${payingCustomer}/cards`);
    const ids: string[] = [];
    for (const amount of [100, 200.5, 300])
      ids.unshift((await post(path, { ...charge, source_id, amount, order_id: `list-${amount}` })).body.id);
    await shop.script(source_id, 3001);
    await post(path, { ...charge, source_id, amount: 400 });
    const list = async (query: string) =>
      (await api.rest('GET', `${path}?${query}`)).body.map(({ id }: { id: string }) => id);
    expect((await list('')).slice(1)).toEqual(ids);
    expect(await list('order_id=list-200.5')).toEqual([ids[1]]);
    expect(await list('amount=200.50')).toEqual([ids[1]]);
    expect(await list('amount[gte]=200.5&amount[lte]=300')).toEqual([ids[0], ids[1]]);
    expect(await list('status=COMPLETED&limit=2')).toEqual([ids[0], ids[1]]);
    expect(await list('status=failed')).toHaveLength(1);
    expect(await list('creation=2020-01-01')).toEqual([]);
    for (const query of ['status=unknown', 'amount=x', 'amount[gte]=1.234', 'limit=0', 'creation=x'])
      expect([query, errorOf(await api.rest('GET', `${path}?${query}`))]).toEqual([query, 1003]);
    const merchantCharges = (await api.rest('GET', '/charges?limit=1000')).body.map(({ id }: { id: string }) => id);
    expect(ids.every(id => merchantCharges.includes(id))).toBe(true);
  });
});

describe('GraphQL', () => {
  it('charges and refunds, with the same results as REST', async () => {
    const fields =
      'id amount status authorization fee { amount tax currency } card { id card_number } payer { name } metadata';
    const created = await api.graphql(`mutation($c: CreateCharge!) { createCharge(charge: $c) { ${fields} } }`, {
      c: { ...charge, source_id: card, customer: payer, metadata: { a: 'b' } },
    });
    const transaction = created.body.data.createCharge;
    const { payer: charged, ...rest } = transaction;
    const shown = (await api.rest('GET', `/charges/${transaction.id}`)).body;
    expect(shown).toMatchObject({ ...rest, customer: charged });
    const refunded = await api.graphql(
      `mutation { refundCharge(transaction_id: "${transaction.id}", refund: { amount: 1000 }) { status refund { amount status } refunds { id } } }`,
    );
    expect(refunded.body.data.refundCharge).toMatchObject({
      status: 'completed',
      refund: { amount: 1000, status: 'completed' },
    });
    const declined = { ...charge, source_id: await shop.newToken('4000000000000044'), customer: payer };
    const refused = await api.graphql('mutation($c: CreateCharge!) { createCharge(charge: $c) { id } }', {
      c: declined,
    });
    expect(refused.body.errors[0].extensions).toMatchObject({
      error_code: 3005,
      fraud_rules: [expect.any(String), expect.any(String)],
    });
    const withLiterals = `mutation { createCharge(charge: { method: card, amount: 1000, currency: COP, iva: "19", description: "x",
      device_session_id: "d", source_id: "${card}", customer: { name: "M", email: "m@e.co" }, metadata: { a: "b" } }) { metadata tax { base rate amount } } }`;
    expect((await api.graphql(withLiterals)).body.data.createCharge).toEqual({
      metadata: { a: 'b' },
      tax: { base: 981, rate: null, amount: 19 },
    });
    const inDollars = { ...charge, currency: 'USD', source_id: card, customer: payer };
    expect(
      errorOf(await api.graphql('mutation($c: CreateCharge!) { createCharge(charge: $c) { id } }', { c: inDollars })),
    ).toBe(1003);
  });
});
