/** The processing of a received settlement report: matches, differences and refusals. */
import { settlementActivities } from '../../../src/payments/settlements/activities';
import { testBackground } from '../../harness/merchant/background';
import { testCharges } from '../../harness/merchant/charges';
import { testSettlements } from '../../harness/merchant/settlements';

const { api, shop, newCharge, refund, db } = testCharges({ ownWorld: true });
const { acquirer, runRecovery } = testBackground(api);
const { send, item, reportOf, reportRow, match, settle, itemsOf, resultsOf, isConciliated } = testSettlements(api);

const counts = () =>
  Promise.all([
    db().settlementReport.count(),
    db().settlementItem.count(),
    db().outbox.count(),
    db().settlement.count(),
  ]);
const eventsOf = (merchant_id: string) => db().event.findMany({ where: { merchant_id, type: 'settlement.created' } });

describe('a report', () => {
  it('marks only its charges, captures, refunds, and store and bank payments as conciliated', async () => {
    const [charged, refunded, left] = [await newCharge(), await newCharge(), await newCharge()];
    const refundId = (await refund(refunded, { amount: 40_000 })).body.refund.id;
    const captured = await newCharge({ capture: false });
    await shop.post(`/charges/${captured}/capture`, { amount: 60_000 });
    const voucher = (await shop.post('/charges', shop.store)).body.id;
    await shop.post(`/sandbox/charges/${voucher}/pay`, {});
    const result = await settle([
      item(charged, 100_000),
      item(refunded, 100_000),
      item(refundId, -40_000, { type: 'refund' }),
      item(`${captured}-capture-1`, 60_000),
      item(`${voucher}-paid`, 100_000),
    ]);
    expect(result).toBe('matched 5 items, nothing differs');
    for (const id of [charged, refunded, captured, voucher]) expect([id, await isConciliated(id)]).toEqual([id, true]);
    expect(await isConciliated(left)).toBe(false);
    expect((await api.rest('GET', `/charges/${refunded}`)).body.refund.conciliated).toBe(true);
    const { data } = (await api.graphql(`{ charge(transaction_id: "${charged}") { conciliated } }`)).body;
    expect(data.charge).toEqual({ conciliated: true });
    const { body } = await api.rest('GET', '/settlements?limit=1');
    expect(body).toEqual([
      {
        id: expect.stringMatching(/^x[a-z0-9]{19}$/),
        day: '2026-11-16',
        creation_date: expect.stringMatching(/-05:00$/),
        status: 'matched',
        currency: 'COP',
        count: 5,
        differences: 0,
        charges: 360_000,
        refunds: -40_000,
        chargebacks: 0,
        payouts: 0,
        amount: 320_000,
        cost: 12_520,
        cost_tax: 2378.8,
        net: 320_000 - 12_520 - 2378.8,
      },
    ]);
  });

  it('deducts a chargeback when it is accepted', async () => {
    const id = await newCharge();
    const line = item(id, -100_000, { type: 'chargeback' });
    await settle([item(id, 100_000)]);
    await shop.post(`/sandbox/charges/${id}/chargeback`, {});
    const early = reportOf([line]);
    await send(early);
    expect(await match(early.id)).toBe('matched 0 items, 1 differs');
    expect(await resultsOf(early.id)).toEqual(['not_in_books']);
    await shop.post(`/sandbox/charges/${id}/chargeback`, { outcome: 'accepted' });
    expect(await settle([line])).toBe('matched 1 item, nothing differs');
  });

  it('is refused and reconciles nothing if its count or total is wrong', async () => {
    const id = await newCharge();
    const merchant = api.merchants().own.id;
    const before = (await eventsOf(merchant)).length;
    for (const [wrong, reason] of [
      [{ total: 1 }, 'The sum of the items differs from the stated total.'],
      [{ count: 2 }, 'The report states 2 items but has 1.'],
    ] as const) {
      const report = reportOf([item(id, 100_000)], wrong);
      await send(report);
      expect([await match(report.id), await match(report.id)]).toEqual([reason, reason]);
      expect(await reportRow(report.id)).toMatchObject({ status: 'refused', reason });
      expect(await resultsOf(report.id)).toEqual([null]);
    }
    expect(await isConciliated(id)).toBe(false);
    expect((await eventsOf(merchant)).length).toBe(before);
    expect(await settle([item(id, 100_000)])).toBe('matched 1 item, nothing differs');
  });

  it('lists differences: unknown, missing in the ledger, wrong amount, wrong merchant, duplicate', async () => {
    const { own, other } = api.merchants();
    const [right, twice, wrong] = [await newCharge(), await newCharge(), await newCharge()];
    const reserved = await newCharge({ capture: false });
    const failed = await newCharge();
    const { body } = await refund(failed, { amount: 500 });
    const data = { status: 'in_progress', progress: 'prepared', lease_until: new Date(0) };
    await db().transaction.update({ where: { id: body.refund.id }, data });
    await acquirer().reverse(body.refund.id);
    await runRecovery();
    const before = (await eventsOf(other.id)).length;
    const report = reportOf([
      item('t0000000000000000000', 5),
      item(reserved, 100_000),
      item(wrong, 99_999.99),
      item(wrong, -100_000),
      item(right, 100_000, { merchant: other.id }),
      item(right, 100_000),
      item(twice, 100_000),
      item(`${twice}-again`, 100_000),
      item(twice, 7),
      item(own.id, 1),
      item(body.refund.id, -500, { type: 'refund' }),
    ]);
    await send(report);
    expect(await match(report.id)).toBe('matched 2 items, 9 differ');
    const items = await itemsOf(report.id);
    expect(items.map(({ result, expected }) => [result, expected])).toEqual([
      ['unknown', null],
      ['not_in_books', null],
      ['wrong_amount', 10_000_000n],
      ['wrong_amount', 10_000_000n],
      ['other_merchant', null],
      ['matched', null],
      ['matched', null],
      ['repeated', 10_000_000n],
      ['wrong_amount', 10_000_000n],
      ['unknown', null],
      ['not_in_books', null],
    ]);
    expect(await reportRow(report.id)).toMatchObject({ status: 'differs', matched: 2, differing: 9 });
    expect([await isConciliated(right), await isConciliated(wrong), await isConciliated(reserved)]).toEqual([
      true,
      false,
      false,
    ]);
    // The merchant sees only its own items: no unknown items and none of other merchants.
    expect((await api.rest('GET', '/settlements?limit=1')).body[0]).toMatchObject({
      status: 'differs',
      count: 2,
      differences: 6,
    });
    expect((await eventsOf(other.id)).length).toBe(before);
  });

  it('with a charge that another report has settled has a difference, and the charge counts once', async () => {
    const id = await newCharge();
    await settle([item(id, 100_000)]);
    const again = reportOf([item(id, 100_000)]);
    await send(again);
    expect(await match(again.id)).toBe('matched 0 items, 1 differs');
    expect(await resultsOf(again.id)).toEqual(['repeated']);
    expect((await api.rest('GET', '/settlements?limit=1')).body[0]).toMatchObject({
      charges: 0,
      net: 0,
      differences: 1,
    });
  });

  it('settles a charge once when several reports arrive concurrently', async () => {
    const ids = [await newCharge(), await newCharge()];
    const reports = Array.from({ length: 6 }, () => reportOf(ids.map(id => item(id, 100_000))));
    for (const report of reports) await send(report);
    // The index rejects the second report, which is retried like an activity.
    const persist = async (reference: string): Promise<string> => match(reference).catch(() => persist(reference));
    await Promise.all(reports.map(({ id }) => persist(id)));
    const results = (await Promise.all(reports.map(({ id }) => resultsOf(id)))).flat();
    expect(results.filter(result => result === 'matched')).toHaveLength(2);
    expect(results.filter(result => result === 'repeated')).toHaveLength(10);
  });

  it('is settled once although every step runs twice, sequentially and concurrently', async () => {
    const ids = [await newCharge(), await newCharge()];
    const report = reportOf(ids.map(id => item(id, 100_000)));
    await send(report);
    const { id } = await reportRow(report.id);
    const steps = settlementActivities(db());
    const merchant = api.merchants().own.id;
    const before = (await eventsOf(merchant)).length;
    const allSteps = [
      () => steps.collectParts(id),
      () => steps.checkSums(id),
      () => steps.matchItems(id, false),
      () => steps.tellMerchants(id),
      () => steps.closeReport(id),
    ];
    for (const step of allSteps) {
      await Promise.all([step(), step()]);
      await step();
    }
    expect(await resultsOf(report.id)).toEqual(['matched', 'matched']);
    expect(await steps.closeReport(id)).toBe('matched 2 items, nothing differs');
    expect((await eventsOf(merchant)).length).toBe(before + 1);
    expect(await db().settlement.count({ where: { report_id: id } })).toBe(1);
  });

  it('without items is matched, and no event is published', async () => {
    const before = await counts();
    expect(await settle([])).toBe('matched 0 items, nothing differs');
    expect((await counts())[3]).toBe(before[3]);
  });
});
