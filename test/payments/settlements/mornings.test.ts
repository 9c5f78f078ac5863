/** Each morning of a test clock, the simulated acquirer sends reports, which become settlements. */

import { eventually, until } from '../../harness/flow/until';
import { testSettlements } from '../../harness/merchant/settlements';
import { testBilling } from '../../harness/merchant/subscriptions';
import { bookDifferences } from '../../harness/servers/damage';

const billing = testBilling({ ownWorld: true });
const { api, shop, moveClock } = billing;
const { isConciliated } = testSettlements(api);
const db = () => api.database.db();

describe('the morning of the test clock', () => {
  const settled = async (day: string) => (await api.rest('GET', `/settlements?day=${day}`)).body;

  it('settles payments of a customer on the days that its clock has passed, with a report for each day', async () => {
    const { customer_id, card_id } = await billing.newCustomerWithCard('2031-03-01');
    const pay = async () =>
      (await shop.post(`/customers/${customer_id}/charges`, { ...shop.charge, source_id: card_id })).body.id as string;
    const [first, second] = [await pay(), await pay()];
    const refundId = (await shop.post(`/charges/${second}/refund`, { amount: 500 })).body.refund.id;
    await moveClock('2031-03-02T05:59:00-05:00', { customer_id });
    const later = await pay();
    expect(await settled('2031-03-01')).toEqual([]);
    await moveClock('2031-03-02T06:00:00-05:00', { customer_id });
    await until(() => isConciliated(first));
    const [report] = await eventually(async () => {
      const found = await settled('2031-03-01');
      if (found.length === 0) throw new Error('not yet');
      return found;
    });
    expect(report).toMatchObject({
      creation_date: '2031-03-02T06:00:00-05:00',
      count: 3,
      charges: 200_000,
      refunds: -500,
    });
    const { body } = await api.rest('GET', `/settlements/${report.id}/items`);
    expect(body.items.map(({ transaction_id }: { transaction_id: string }) => transaction_id).sort()).toEqual(
      [first, second, refundId].sort(),
    );
    expect(await isConciliated(later)).toBe(false);
    await moveClock('2031-03-10', { customer_id });
    await until(async () => (await settled('2031-03-02')).length === 1);
    expect(await isConciliated(later)).toBe(true);
  });

  it('does not settle charges whose clocks have not moved', async () => {
    const id = await shop.newCharge(await shop.newCard());
    const { customer_id, card_id } = await billing.newCustomerWithCard('2032-03-01');
    await shop.post(`/customers/${customer_id}/charges`, { ...shop.charge, source_id: card_id });
    await moveClock('2032-04-01', { customer_id });
    await until(async () => (await settled('2032-03-01')).length === 1);
    expect(await isConciliated(id)).toBe(false);
  });

  it('settles lost chargebacks and payments in stores and on pages, with the remainder of each charge', async () => {
    const { customer_id, card_id } = await billing.newCustomerWithCard('2033-03-01');
    const { body } = await shop.post(`/customers/${customer_id}/charges`, { ...shop.charge, source_id: card_id });
    await shop.post(`/charges/${body.id}/refund`, { amount: 10_000 });
    for (const outcome of ['open', 'accepted']) await shop.post(`/sandbox/charges/${body.id}/chargeback`, { outcome });
    const { customer: _, ...store } = shop.store;
    const voucher = (await shop.post(`/customers/${customer_id}/charges`, store)).body.id;
    await shop.post(`/sandbox/charges/${voucher}/pay`, {});
    await moveClock('2033-04-01', { customer_id });
    await until(async () => (await settled('2033-03-01')).length === 1);
    expect(await settled('2033-03-01')).toMatchObject([
      { status: 'matched', count: 4, charges: 200_000, refunds: -10_000, chargebacks: -90_000 },
    ]);
  });

  it('settles all customers of a merchant when its own clock is moved, once despite repeated moves', async () => {
    const id = await shop.newCharge(await shop.newCard());
    const bank_account = { bank: 'Bancolombia', type: 'savings', number: '12345678901' };
    await api.rest('PUT', '', { body: { bank_account } });
    await shop.settle();
    const second = await shop.newCharge(await shop.newCard());
    const payout = (await shop.post('/payouts', { amount: 5000 })).body.id;
    const read = async () => (await api.rest('GET', `/payouts/${payout}`)).body;
    await until(async () => (await read()).status === 'completed');
    expect([await isConciliated(id), await isConciliated(second)]).toEqual([true, false]);
    expect(await shop.available()).toBeLessThan(await shop.merchantBalance());
    await moveClock('2028-01-01');
    await until(() => isConciliated(second));
    expect(await shop.available()).toBe(await shop.merchantBalance());
    await until(async () => (await read()).conciliated);
    await moveClock('2028-01-01');
    await moveClock('2028-01-05');
    await until(() => api.acquirer.reports().unaccepted().length === 0);
    await until(async () => (await db().settlementReport.count({ where: { ended_at: null } })) === 0);
    expect(await db().settlementReport.count({ where: { status: { not: 'matched' } } })).toBe(0);
    expect(await bookDifferences(api)).toEqual([]);
  });
});
