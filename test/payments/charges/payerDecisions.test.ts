/** Vouchers and bank payments that are paid or rejected by their payer, or expire. */

import { NOTIFICATIONS } from '../../../src/api/notifications/route';
import { sign } from '../../../src/gateway/acquirer/signature';
import { expiryActivities } from '../../../src/payments/charges/expiry';
import { testBackground } from '../../harness/merchant/background';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { errorOf, testApi } from '../../harness/servers/api';
import { secrets } from '../../harness/world/secrets';

const api = testApi();
const shop = merchantCalls(api);
const { post, store, pse, redirect } = shop;
const { acquirer, runRecovery } = testBackground(api);
const db = () => api.database.db();

const read = async (id: string) => (await api.rest('GET', `/charges/${id}`)).body;
const newVoucher = async (overrides: object = {}): Promise<string> =>
  (await post('/charges', { ...store, ...overrides })).body.id;
const newBankPayment = async (): Promise<string> =>
  (await post('/charges', { ...pse, method: 'bank_account' })).body.id;
const expire = (id: string) => expiryActivities(db(), { sandbox: acquirer() }).expire(id);
const passDueDate = (id: string) => db().transaction.update({ where: { id }, data: { expires_at: new Date(0) } });
const notify = (notification: object, key: string = secrets.ACQUIRER_KEY): Promise<Response> => {
  const body = JSON.stringify(notification);
  return fetch(`${api.origin()}${NOTIFICATIONS}`, { method: 'POST', headers: { signature: sign(key, body) }, body });
};

describe('POST /sandbox/charges/{id}/pay', () => {
  it('completes a voucher, credits the account and debits the usual cost of a charge', async () => {
    const customer = await shop.newCustomer();
    const { customer: _, ...atCustomerLevel } = store;
    const { id } = (await post(`/customers/${customer}/charges`, atCustomerLevel)).body;
    const { status, body } = await post(`/sandbox/charges/${id}/pay`, {});
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      status: 'completed',
      authorization: expect.stringMatching(/^\d{6}$/),
      fee: { amount: 3800, tax: 722 },
      payment_method: { type: 'store' },
    });
    expect(await shop.customerBalance(customer)).toBe(100000);
    expect(await shop.eventsOf(id)).toEqual(['charge.created', 'charge.succeeded']);
    expect(shop.journalOf(`${id}-paid`)).toMatchObject([
      { operation: 'voucher', amount: 10000000, outcome: 'approved' },
    ]);
  });

  it('approves or rejects a bank payment or leaves it pending, also in GraphQL', async () => {
    const [approved, rejected] = [await newBankPayment(), await newBankPayment()];
    expect((await post(`/sandbox/charges/${rejected}/pay`, { outcome: 'pending' })).body.status).toBe('charge_pending');
    expect((await post(`/sandbox/charges/${rejected}/pay`, { outcome: 'REJECTED' })).body).toMatchObject({
      status: 'failed',
      error_code: 1007,
    });
    expect(await shop.eventsOf(rejected)).toEqual(['charge.created', 'charge.failed']);
    const { body } = await api.graphql(
      'mutation ($id: ID!) { payCharge(transaction_id: $id, payment: { outcome: approved }) { status } }',
      { id: approved },
    );
    expect(body.data.payCharge.status).toBe('completed');
    expect(shop.journalOf(`${rejected}-paid`)).toMatchObject([{ operation: 'bank', outcome: 1007 }]);
  });

  it.each([
    [
      '3006 for a charge that is paid already',
      async () => (await post(`/sandbox/charges/${await newVoucher()}/pay`, {})).body.id,
      {},
      3006,
    ],
    [
      '3006 for a charge that is paid on the payment page',
      async () => (await post('/charges', redirect)).body.id,
      {},
      3006,
    ],
    ['1003 for an unknown outcome', newVoucher, { outcome: 'maybe' }, 1003],
    ['1005 for an unknown charge', async () => 't0000000000000000000', {}, 1005],
  ])('fails with %s', async (_, createCharge, body, code) => {
    expect(errorOf(await post(`/sandbox/charges/${await createCharge()}/pay`, body))).toBe(code);
  });

  it('pays once for fifty concurrent requests', async () => {
    const id = await newVoucher();
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(`/sandbox/charges/${id}/pay`, {})));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(answers.every(({ status }) => status === 200 || status === 412)).toBe(true);
    expect(shop.journalOf(`${id}-paid`)).toHaveLength(1);
    expect(await shop.eventsOf(id)).toEqual(['charge.created', 'charge.succeeded']);
  });
});

describe('a notification of a payment', () => {
  it('fails with 401/1002 without a valid signature, and changes nothing', async () => {
    const id = await newVoucher();
    const { status } = await notify(
      { type: 'payment', key: id, outcome: 'approved', authorization: '1' },
      'x'.repeat(40),
    );
    expect(status).toBe(401);
    expect((await read(id)).status).toBe('in_progress');
  });

  it('changes nothing when it is repeated, and is refused when it contradicts the first notification', async () => {
    const id = await newBankPayment();
    await post(`/sandbox/charges/${id}/pay`, {});
    const balance = await shop.merchantBalance();
    expect((await notify({ type: 'payment', key: id, outcome: 'approved', authorization: '654321' })).status).toBe(204);
    expect((await notify({ type: 'payment', key: id, outcome: 'rejected' })).status).toBe(412);
    expect(await shop.merchantBalance()).toBe(balance);
    expect((await read(id)).status).toBe('completed');
  });

  it.each([
    ['1001 for an unknown outcome', { outcome: 'maybe' }, 400],
    ['1005 for an unknown charge', { key: 't0000000000000000000' }, 404],
  ])('fails with %s', async (_, overrides, status) => {
    const notification = { type: 'payment', key: await newVoucher(), outcome: 'approved', ...overrides };
    expect((await notify(notification)).status).toBe(status);
  });

  it('fails with 3006 for a card charge, which can be paid only on the payment page', async () => {
    const { id } = (await post('/charges', redirect)).body;
    expect((await notify({ type: 'payment', key: id, outcome: 'approved' })).status).toBe(412);
    expect((await read(id)).status).toBe('charge_pending');
  });

  it('is resent by the acquirer until the gateway accepts it', async () => {
    const id = await newBankPayment();
    api.acquirer.notifyApiAt('http://127.0.0.1:1');
    await api.acquirer.payers().decide(id, true);
    await expect(api.acquirer.notifier().notify(id)).rejects.toThrow();
    expect((await read(id)).status).toBe('charge_pending');
    api.acquirer.notifyApiAt(api.origin());
    for (;;) if ((await read(id)).status === 'completed') break;
    expect(await shop.eventsOf(id)).toEqual(['charge.created', 'charge.succeeded']);
  });
});

describe('an unpaid pending payment', () => {
  it.each([
    ['a payment page', async () => (await post('/charges', redirect)).body.id as string, 1],
    ['a voucher', newVoucher, 3],
    ['a bank payment', newBankPayment, 1],
    ['a Bre-B payment', () => newVoucher({ method: 'bre_b' }), 3],
  ])('%s is cancelled when it expires, with the event transaction.expired', async (_, createPayment, days) => {
    const id = await createPayment();
    const step = await expire(id);
    expect((step as { waitMs: number }).waitMs / 86_400_000).toBeCloseTo(days, 1);
    await passDueDate(id);
    expect(await expire(id)).toEqual({ over: 'cancelled' });
    expect(await expire(id)).toEqual({ over: 'cancelled' });
    expect((await read(id)).status).toBe('cancelled');
    expect(await shop.eventsOf(id)).toEqual(['charge.created', 'transaction.expired']);
    expect(errorOf(await post(`/sandbox/charges/${id}/pay`, {}))).toBe(3006);
    expect(await api.acquirer.payers().decide(id, true)).toBe(false);
  });

  it('is either paid or expired when both happen concurrently', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => newVoucher()));
    await Promise.all(ids.map(passDueDate));
    await Promise.all(
      ids.flatMap((id, i) => [
        expire(id),
        post(`/sandbox/charges/${id}/pay`, { outcome: i % 3 ? 'approved' : 'rejected' }),
      ]),
    );
    for (const id of ids) {
      await expire(id);
      const [{ status }, events, [paid]] = [await read(id), await shop.eventsOf(id), shop.journalOf(`${id}-paid`)];
      const expected = paid ? (paid.outcome === 'approved' ? 'completed' : 'failed') : 'cancelled';
      expect(status).toBe(expected);
      const event = { completed: 'charge.succeeded', failed: 'charge.failed', cancelled: 'transaction.expired' }[
        expected
      ];
      expect(events).toEqual(['charge.created', event]);
    }
  });

  it('is completed at expiry if the store received the money and its notification has not arrived', async () => {
    const id = await newVoucher();
    await api.acquirer.payers().decide(id, true);
    await passDueDate(id);
    expect(await expire(id)).toEqual({ over: 'completed' });
    expect((await read(id)).authorization).toMatch(/^\d{6}$/);
  });

  it('gets its due date as cancellation date if recovery cancels it after a move of the test clock', async () => {
    const id = await newVoucher({ due_date: new Date(Date.now() + 86_400_000).toISOString() });
    const { merchant_id, expires_at } = await db().transaction.update({
      where: { id },
      data: { progress: 'voiding', work_id: 'expiry', lease_until: new Date(0) },
    });
    await db().merchant.update({ where: { id: merchant_id }, data: { clock_offset: 10 * 86_400 } });
    await runRecovery();
    await db().merchant.update({ where: { id: merchant_id }, data: { clock_offset: 0 } });
    const row = await db().transaction.findUniqueOrThrow({ where: { id } });
    expect([row.status, row.operation_date]).toEqual(['cancelled', expires_at]);
  });

  it('is resolved by recovery if the process died during the expiry', async () => {
    const [paid, unpaid] = [await newVoucher(), await newBankPayment()];
    await api.acquirer.payers().decide(paid, true);
    await db().transaction.updateMany({
      where: { id: { in: [paid, unpaid] } },
      data: { progress: 'voiding', work_id: 'expiry', lease_until: new Date(0), expires_at: new Date(0) },
    });
    await runRecovery();
    expect((await read(paid)).status).toBe('completed');
    expect((await read(unpaid)).status).toBe('cancelled');
  });
});
