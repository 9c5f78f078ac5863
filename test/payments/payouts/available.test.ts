/** The part of the balance that can be paid out: settled money without the reserve. */
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { testOperators } from '../../harness/merchant/operators';
import { type ApiResponse, errorOf, testApi } from '../../harness/servers/api';
import { bookDifferences } from '../../harness/servers/damage';

const api = testApi({ ownWorld: true });
const shop = merchantCalls(api);
const { operate } = testOperators(api);
const { post } = shop;

beforeAll(async () => {
  const bank_account = { bank: 'Bancolombia', type: 'savings', number: '12345678901' };
  expect((await api.rest('PUT', '', { body: { bank_account } })).status).toBe(200);
});

const merchant = async () => (await api.rest('GET', '')).body;
const pay = (amount: number): Promise<ApiResponse> => post('/payouts', { amount });
const refused = async (answer: Promise<ApiResponse>) => {
  const { status, body } = await answer;
  return [status, body.error_code, body.description];
};
/** Charges a customer with an account. */
const chargeCustomer = async (customer: string, amount: number): Promise<void> => {
  const charge = { ...shop.charge, source_id: await shop.newToken(), amount };
  expect((await post(`/customers/${customer}/charges`, charge)).status).toBe(200);
};
/** The change of the amount that is available. */
const changeBy = async (work: () => Promise<unknown>): Promise<number> => {
  const before = await shop.available();
  await work();
  return Math.round((await shop.available()) - before);
};

it('a charge is available for payouts after its settlement, and the refusal before it names the amount', async () => {
  const id = await shop.newCharge(await shop.newCard(), { amount: 5_000_000 });
  const { balance, available } = await merchant();
  expect([balance > 4_000_000, available]).toEqual([true, 0]);
  const text = 'The payout is more than the available balance (available: 0 COP)';
  expect(await refused(pay(5_000_000))).toEqual([412, 4001, text]);
  expect(await refused(pay(1))).toEqual([412, 4001, text]);
  const settlements = (await post('/sandbox/settle', {})).body;
  expect(settlements).toMatchObject([{ status: 'matched', count: 1, charges: 5_000_000 }]);
  expect((await api.rest('GET', `/charges/${id}`)).body.conciliated).toBe(true);
  expect((await post('/sandbox/settle', {})).body).toEqual([]);
  expect(await shop.available()).toBe(balance);
  expect((await pay(1000)).status).toBe(200);
  const shown = (await api.graphql('{ merchant { balance available reserve } }')).body.data.merchant;
  expect(shown).toEqual({ balance: balance - 1000, available: balance - 1000, reserve: 0 });
});

it('costs, refunds and chargebacks reduce the available amount at once', async () => {
  const customer = await shop.newCustomer();
  const card = await shop.newCard();
  const settled = await shop.newCharge(card, { amount: 200_000 });
  await shop.settle();
  expect(await changeBy(() => post(`/charges/${settled}/refund`, { amount: 50_000 }))).toBeLessThan(-40_000);
  expect(await changeBy(() => post(`/sandbox/charges/${settled}/chargeback`, {}))).toBe(-150_000);
  expect(await changeBy(() => chargeCustomer(customer, 100_000))).toBeLessThan(-1000);
  let unsettled = '';
  expect(await changeBy(async () => (unsettled = await shop.newCharge(card, { amount: 100_000 })))).toBe(0);
  expect(await changeBy(() => post(`/charges/${unsettled}/refund`, { amount: 40_000 }))).toBe(0);
  expect(await changeBy(() => post(`/sandbox/charges/${unsettled}/chargeback`, {}))).toBeLessThan(0);
});

it('a fee is available as far as the charges of its customer are settled', async () => {
  const customer = await shop.newCustomer();
  const fee = (amount: number) => () => post('/fees', { customer_id: customer, amount, description: 'Fee' });
  await chargeCustomer(customer, 100_000);
  await shop.settle();
  await chargeCustomer(customer, 60_000);
  expect(await changeBy(fee(90_000))).toBe(90_000);
  expect(await changeBy(fee(30_000))).toBe(10_000);
  // Another customer's settled money does not make this fee available.
  await chargeCustomer(await shop.newCustomer(), 500_000);
  expect(await changeBy(fee(40_000))).toBe(0);
  expect(await changeBy(() => shop.settle())).toBe(60_000);
});

it('the reserve that an operator sets stays in the balance, also when an operator pays', async () => {
  const { id } = api.merchants().own;
  await shop.newCharge(await shop.newCard(), { amount: 1_000_000 });
  await shop.settle();
  const { balance, available } = await merchant();
  const set = (role: 'support' | 'admin', amount: number) =>
    operate(
      role,
      `mutation ($id: ID!, $amount: Money!) { changeMerchantReserve(id: $id, amount: $amount, reason: "New shop") {
        balance available reserve } }`,
      { id, amount },
    );
  expect(errorOf(await set('support', 1))).toBe(1010);
  expect(errorOf(await set('admin', -1))).toBe(1003);
  expect(await set('admin', 300_000)).toEqual({ balance, available: available - 300_000, reserve: 300_000 });
  expect(await merchant()).toMatchObject({ available: available - 300_000, reserve: 300_000 });
  const [entry] = (await api.rest('GET', '/audit_log?action=merchant.reserve_changed')).body;
  expect(entry).toMatchObject({
    actor: 'operator',
    before: { reserve: 0 },
    after: { reserve: 300_000, reason: 'New shop' },
  });
  const order = 'mutation ($id: ID!, $amount: Money!) { payMerchant(id: $id, amount: $amount) { id } }';
  expect(errorOf(await operate('admin', order, { id, amount: available - 299_999 }))).toBe(4001);
  expect(await operate('admin', order, { id, amount: 1000 })).toMatchObject({ id: expect.any(String) });
  expect(await set('admin', balance * 2)).toMatchObject({ available: 0 });
  expect(errorOf(await pay(1))).toBe(4001);
  await set('admin', 0);
});

it('fifty concurrent payouts leave the unsettled charges in the balance', async () => {
  await shop.newCharge(await shop.newCard(), { amount: 2_000_000 });
  const { balance, available } = await merchant();
  const amount = Math.floor(available / 10);
  const answers = await Promise.all(Array.from({ length: 50 }, () => pay(amount)));
  const paid = answers.filter(({ status }) => status === 200);
  expect(paid).toHaveLength(10);
  expect(new Set(answers.filter(each => !paid.includes(each)).map(errorOf))).toEqual(new Set([4001]));
  expect((await merchant()).balance).toBeCloseTo(balance - 10 * amount, 2);
  expect(await bookDifferences(api)).toEqual([]);
});

it('the credit that an ended subscription owes is not available until its return is recorded', async () => {
  await shop.newCharge(await shop.newCard(), { amount: 100_000 });
  await shop.settle();
  const customer = await shop.newCustomer({ requires_account: false });
  const source_id = await shop.newCard(`/customers/${customer}/cards`);
  const plan_id = await shop.newPlan({ trial_days: 5 });
  const { id } = (await post(`/customers/${customer}/subscriptions`, { plan_id, source_id })).body;
  const path = `/customers/${customer}/subscriptions/${id}`;
  const data = { credit_balance: 1_200_000n };
  expect(await changeBy(() => api.database.db().subscription.update({ where: { id }, data }))).toBe(0);
  expect(await changeBy(() => api.rest('DELETE', path))).toBe(-12_000);
  expect(await changeBy(() => post(`${path}/credit/return`, {}))).toBe(12_000);
});
