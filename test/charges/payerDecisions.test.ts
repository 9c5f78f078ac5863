/** What payers decide in stores and at banks, and what time does to what nobody pays. */
import pino from 'pino';
import { HttpAcquirer } from '../../src/acquirer/client';
import { sign } from '../../src/acquirer/signature';
import { recover } from '../../src/background/recovery';
import { expiryActivities } from '../../src/charges/pending/expiry';
import { NOTIFICATIONS } from '../../src/http/notifications/route';
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { errorOf, testApi } from '../harness/servers/api';
import { secrets, vault } from '../harness/servers/secrets';

const api = testApi();
const shop = merchantCalls(api);
const { post, store, pse, redirect } = shop;
const log = pino({ level: 'silent' });
const db = () => api.database.db();
let acquirer: HttpAcquirer;
beforeAll(() => {
  acquirer = new HttpAcquirer({ ...api.acquirer.credentials(), vault, log });
});
afterAll(() => acquirer.close());

const read = async (id: string) => (await api.rest('GET', `/charges/${id}`)).body;
const voucher = async (more: object = {}): Promise<string> => (await post('/charges', { ...store, ...more })).body.id;
const atBank = async (): Promise<string> => (await post('/charges', { ...pse, method: 'bank_account' })).body.id;
const expire = (id: string) => expiryActivities(db(), { sandbox: acquirer }).expire(id);
const runOut = (id: string) => db().transaction.update({ where: { id }, data: { expires_at: new Date(0) } });
const notify = (notification: object, key: string = secrets.ACQUIRER_KEY): Promise<Response> => {
  const body = JSON.stringify(notification);
  return fetch(`${api.origin()}${NOTIFICATIONS}`, { method: 'POST', headers: { signature: sign(key, body) }, body });
};

describe('POST /sandbox/charges/{id}/pay', () => {
  it('completes a voucher, credits the account and costs what a charge costs', async () => {
    const customer = await shop.newCustomer();
    const { customer: _, ...own } = store;
    const { id } = (await post(`/customers/${customer}/charges`, own)).body;
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

  it('approves, rejects or leaves a bank payment pending; GraphQL has it too', async () => {
    const [approved, rejected] = [await atBank(), await atBank()];
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
      async () => (await post(`/sandbox/charges/${await voucher()}/pay`, {})).body.id,
      {},
      3006,
    ],
    ['3006 for one that waits on our own page', async () => (await post('/charges', redirect)).body.id, {}, 3006],
    ['1003 for an outcome that there is not', voucher, { outcome: 'maybe' }, 1003],
    ['1005 for a charge that there is not', async () => 't0000000000000000000', {}, 1005],
  ])('%s', async (_, make, body, code) => {
    expect(errorOf(await post(`/sandbox/charges/${await make()}/pay`, body))).toBe(code);
  });

  it('pays once, fifty times at once', async () => {
    const id = await voucher();
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(`/sandbox/charges/${id}/pay`, {})));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(answers.every(({ status }) => status === 200 || status === 412)).toBe(true);
    expect(shop.journalOf(`${id}-paid`)).toHaveLength(1);
    expect(await shop.eventsOf(id)).toEqual(['charge.created', 'charge.succeeded']);
  });
});

describe('a notification of a payment', () => {
  it('401/1002 where it is not signed with our key, and nothing changes', async () => {
    const id = await voucher();
    const { status } = await notify(
      { type: 'payment', key: id, outcome: 'approved', authorization: '1' },
      'x'.repeat(40),
    );
    expect(status).toBe(401);
    expect((await read(id)).status).toBe('in_progress');
  });

  it('changes nothing when it comes again, and is refused when it says otherwise', async () => {
    const id = await atBank();
    await post(`/sandbox/charges/${id}/pay`, {});
    const balance = await shop.merchantBalance();
    expect((await notify({ type: 'payment', key: id, outcome: 'approved', authorization: '654321' })).status).toBe(204);
    expect((await notify({ type: 'payment', key: id, outcome: 'rejected' })).status).toBe(412);
    expect(await shop.merchantBalance()).toBe(balance);
    expect((await read(id)).status).toBe('completed');
  });

  it.each([
    ['1001 for an outcome that there is not', { outcome: 'maybe' }, 400],
    ['1005 for a charge that there is not', { key: 't0000000000000000000' }, 404],
  ])('%s', async (_, more, status) => {
    const notification = { type: 'payment', key: await voucher(), outcome: 'approved', ...more };
    expect((await notify(notification)).status).toBe(status);
  });

  it('3006 for a charge of a card, which nobody pays elsewhere', async () => {
    const { id } = (await post('/charges', redirect)).body;
    expect((await notify({ type: 'payment', key: id, outcome: 'approved' })).status).toBe(412);
    expect((await read(id)).status).toBe('charge_pending');
  });

  it('reaches us also when we were away at first, by itself', async () => {
    const id = await atBank();
    api.acquirer.notifyApiAt('http://127.0.0.1:1');
    await api.acquirer.payers().decide(id, true);
    await expect(api.acquirer.notifier().notify(id)).rejects.toThrow();
    expect((await read(id)).status).toBe('charge_pending');
    api.acquirer.notifyApiAt(api.origin());
    for (;;) if ((await read(id)).status === 'completed') break;
    expect(await shop.eventsOf(id)).toEqual(['charge.created', 'charge.succeeded']);
  });
});

describe('what nobody pays', () => {
  it.each([
    ['a page', async () => (await post('/charges', redirect)).body.id as string, 1],
    ['a voucher', voucher, 3],
    ['a bank payment', atBank, 1],
  ])('%s is cancelled when its time has run out, with transaction.expired', async (_, make, days) => {
    const id = await make();
    const step = await expire(id);
    expect((step as { waitMs: number }).waitMs / 86_400_000).toBeCloseTo(days, 1);
    await runOut(id);
    expect(await expire(id)).toEqual({ over: 'cancelled' });
    expect(await expire(id)).toEqual({ over: 'cancelled' });
    expect((await read(id)).status).toBe('cancelled');
    expect(await shop.eventsOf(id)).toEqual(['charge.created', 'transaction.expired']);
    expect(errorOf(await post(`/sandbox/charges/${id}/pay`, {}))).toBe(3006);
    expect(await api.acquirer.payers().decide(id, true)).toBe(false);
  });

  it('has one outcome where it is paid in the same moment, whoever comes first', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => voucher()));
    await Promise.all(ids.map(runOut));
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

  it('is paid where the store took the money and we had not heard of it', async () => {
    const id = await voucher();
    await api.acquirer.payers().decide(id, true);
    await runOut(id);
    expect(await expire(id)).toEqual({ over: 'completed' });
    expect((await read(id)).authorization).toMatch(/^\d{6}$/);
  });

  it('is dated when it ran out, also where the recovery ends it after a jump of the clock', async () => {
    const id = await voucher({ due_date: new Date(Date.now() + 86_400_000).toISOString() });
    const { merchant_id, expires_at } = await db().transaction.update({
      where: { id },
      data: { progress: 'voiding', work_id: 'expiry', lease_until: new Date(0) },
    });
    await db().merchant.update({ where: { id: merchant_id }, data: { clock_offset: 10 * 86_400 } });
    await recover(db(), { sandbox: acquirer }, log);
    await db().merchant.update({ where: { id: merchant_id }, data: { clock_offset: 0 } });
    const row = await db().transaction.findUniqueOrThrow({ where: { id } });
    expect([row.status, row.operation_date]).toEqual(['cancelled', expires_at]);
  });

  it('is finished by the recovery where its expiry died in the middle', async () => {
    const [paid, unpaid] = [await voucher(), await atBank()];
    await api.acquirer.payers().decide(paid, true);
    await db().transaction.updateMany({
      where: { id: { in: [paid, unpaid] } },
      data: { progress: 'voiding', work_id: 'expiry', lease_until: new Date(0), expires_at: new Date(0) },
    });
    await recover(db(), { sandbox: acquirer }, log);
    expect((await read(paid)).status).toBe('completed');
    expect((await read(unpaid)).status).toBe('cancelled');
  });
});
