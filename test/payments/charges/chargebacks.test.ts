import { testBackground } from '../../harness/merchant/background';
import { testCharges } from '../../harness/merchant/charges';
import { errorOf } from '../../harness/servers/api';

const { api, shop, newCharge, refund } = testCharges();
const { post, charge } = shop;
const { acquirer, runRecovery } = testBackground(api);

describe('chargebacks', () => {
  const chargeback = (id: string, outcome?: string) =>
    post(`/sandbox/charges/${id}/chargeback`, outcome ? { outcome } : {});

  it.each([
    ['accepted', 'chargeback_accepted', 0, 'chargeback.accepted'],
    ['rejected', 'chargeback_adjustment', 100000, 'chargeback.rejected'],
  ])('hold the funds until they are %s', async (outcome, status, returned, event) => {
    const id = await newCharge();
    const before = await shop.merchantBalance();
    const opened = await chargeback(id);
    expect([opened.status, opened.body.status]).toEqual([200, 'chargeback_pending']);
    expect(await shop.merchantBalance()).toBe(before - 100000);
    expect(errorOf(await chargeback(id))).toBe(3006);
    expect(errorOf(await refund(id))).toBe(3006);
    expect((await chargeback(id, outcome)).body.status).toBe(status);
    expect(await shop.merchantBalance()).toBe(before - 100000 + returned);
    for (const again of ['open', 'accepted', 'rejected']) expect(errorOf(await chargeback(id, again))).toBe(3006);
    const events = await api.database
      .db()
      .event.findMany({ where: { object_id: id }, orderBy: { creation_date: 'asc' } });
    expect(events.map(({ type }) => type)).toEqual(['charge.succeeded', 'chargeback.created', event]);
  });

  it('opened during a refund of the charge take the funds only once', async () => {
    for (let i = 0; i < 10; i++) {
      const id = await newCharge();
      const before = await shop.merchantBalance();
      const [opened, refunded] = await Promise.all([chargeback(id), refund(id)]);
      expect([opened, refunded].filter(({ status }) => status === 200)).toHaveLength(1);
      const returnedCost = refunded.status === 200 ? 4522 : 0;
      expect(await shop.merchantBalance()).toBe(before - 100000 + returnedCost);
    }
  });

  it('release all held funds, including those of a concurrent refund that failed', async () => {
    const id = await newCharge();
    const start = await shop.merchantBalance();
    const { body } = await refund(id, { amount: 40_000 });
    const db = api.database.db();
    await db.transaction.update({
      where: { id: body.refund.id },
      data: { status: 'in_progress', progress: 'prepared', lease_until: new Date(0) },
    });
    expect((await chargeback(id)).body.status).toBe('chargeback_pending');
    await acquirer().reverse(body.refund.id);
    await runRecovery();
    expect(await shop.merchantBalance()).toBe(start - 100_000);
    expect((await chargeback(id, 'rejected')).body.status).toBe('chargeback_adjustment');
    expect(await shop.merchantBalance()).toBe(start);
  });

  describe("chargebacks beyond the balance of the customer's account", () => {
    const spend = async (fee: number) => {
      const customer_id = await shop.newCustomer();
      const source_id = await shop.newCard(`/customers/${customer_id}/cards`);
      const { body } = await post(`/customers/${customer_id}/charges`, { ...charge, source_id });
      await post('/fees', { customer_id, amount: fee, description: 'Spent' });
      const before = await shop.merchantBalance();
      const balances = async () => [await shop.customerBalance(customer_id), (await shop.merchantBalance()) - before];
      return { customer_id, id: body.id, balances };
    };

    it('take the rest from the merchant, and the customer can be deleted', async () => {
      const { customer_id, id, balances } = await spend(100_000);
      await chargeback(id);
      expect(await balances()).toEqual([0, -100_000]);
      await chargeback(id, 'accepted');
      expect(await balances()).toEqual([0, -100_000]);
      expect((await api.rest('DELETE', `/customers/${customer_id}`)).status).toBe(204);
    });

    it('return the held funds to both accounts when they are won', async () => {
      const { id, balances } = await spend(70_000);
      await chargeback(id);
      expect(await balances()).toEqual([0, -70_000]);
      await chargeback(id, 'rejected');
      expect(await balances()).toEqual([30_000, 0]);
    });

    it('opened during concurrent fees never take the account below zero', async () => {
      const { customer_id, id, balances } = await spend(40_000);
      const fee = { customer_id, amount: 20_000, description: 'Spent' };
      const [, ...fees] = await Promise.all([chargeback(id), ...Array.from({ length: 5 }, () => post('/fees', fee))]);
      const taken = fees.filter(({ status }) => status === 200).length * 20_000;
      expect(await balances()).toEqual([0, taken - (40_000 + taken)]);
    });
  });

  it('leave the charge refundable in parts and as a whole when they are won', async () => {
    const id = await newCharge();
    for (const outcome of ['open', 'rejected']) await chargeback(id, outcome);
    const before = await shop.merchantBalance();
    expect(await refund(id, { amount: 40_000 })).toMatchObject({
      status: 200,
      body: { status: 'chargeback_adjustment' },
    });
    expect(errorOf(await refund(id, { amount: 60_001 }))).toBe(1003);
    expect(await refund(id)).toMatchObject({ status: 200, body: { status: 'refunded' } });
    expect(await shop.merchantBalance()).toBe(before - 100_000 + 4522);
    expect(errorOf(await chargeback(id))).toBe(3006);
  });

  it('fail with 3006 when a customer with an open one is deleted, or a fee of a deleted customer is refunded', async () => {
    const customer = await shop.newCustomer();
    const source_id = await shop.newCard(`/customers/${customer}/cards`);
    const { body } = await post(`/customers/${customer}/charges`, { ...charge, source_id, amount: 5000 });
    await chargeback(body.id);
    expect(errorOf(await api.rest('DELETE', `/customers/${customer}`))).toBe(3006);
    await chargeback(body.id, 'rejected');
    const fee = await post('/fees', { customer_id: customer, amount: 5000, description: 'All of it' });
    expect((await api.rest('DELETE', `/customers/${customer}`)).status).toBe(204);
    expect(errorOf(await post(`/fees/${fee.body.id}/refund`, {}))).toBe(3006);
  });

  it('fail with 1003 for an unknown outcome, 1005 for an unknown charge, and 3006 for a decision without an open one', async () => {
    const id = await newCharge();
    expect(errorOf(await chargeback(id, 'maybe'))).toBe(1003);
    expect(errorOf(await chargeback('t0000000000000000000'))).toBe(1005);
    expect(errorOf(await chargeback(id, 'accepted'))).toBe(3006);
  });
});
