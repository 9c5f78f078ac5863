/** Items whose transactions were unfinished when their report arrived are matched later. */

import { settlementChecks } from '../../../src/operations/reconciliation/settlementChecks';
import { matchChangedReports } from '../../../src/payments/settlements/matchChangedReports';
import { BOTH_ENVIRONMENTS } from '../../../src/platform/database/environments';
import { abandonCharge } from '../../harness/merchant/abandonCharge';
import { testBackground } from '../../harness/merchant/background';
import { testCharges } from '../../harness/merchant/charges';
import { testSettlements } from '../../harness/merchant/settlements';

const { api, shop, newCharge, db } = testCharges({ ownWorld: true });
const { runRecovery } = testBackground(api);
const { send, item, reportOf, reportRow, match, resultsOf, isConciliated } = testSettlements(api);
const sweep = async (): Promise<number> => (await matchChangedReports(db(), BOTH_ENVIRONMENTS)).count;
const latest = async () => (await api.rest('GET', '/settlements?limit=1')).body[0];
/** The differences that the audit finds, except those within the reports. */
const differences = async (): Promise<string[]> => {
  const rows = settlementChecks.map(({ differences: sql }) => db().$queryRawUnsafe<{ difference: string }[]>(sql));
  return (await Promise.all(rows))
    .flat()
    .flatMap(({ difference }) => (/ line \d+: /.test(difference) ? [] : difference));
};

it('recaudo matches a charge whose outcome became known after the report', async () => {
  const [known, late] = [await newCharge(), await newCharge()];
  await abandonCharge(db(), late);
  const report = reportOf([item(known, 100_000), item(late, 100_000)]);
  await send(report);
  expect(await match(report.id)).toBe('matched 1 item, 1 differs');
  const before = await latest();
  expect(before).toMatchObject({ status: 'differs', count: 1, differences: 1, charges: 100_000 });
  expect(await sweep()).toBe(0);
  await runRecovery();
  expect(await isConciliated(late)).toBe(false);
  expect(await sweep()).toBe(1);
  expect(await latest()).toMatchObject({
    id: before.id,
    status: 'matched',
    count: 2,
    differences: 0,
    charges: 200_000,
  });
  expect(await isConciliated(late)).toBe(true);
  expect(await reportRow(report.id)).toMatchObject({ status: 'matched', matched: 2, differing: 0 });
  expect(await differences()).toEqual([]);
  expect(await sweep()).toBe(0);
});

it('recaudo matches a chargeback that was settled before its notification, once despite several processes', async () => {
  const id = await newCharge();
  const line = item(id, -100_000, { type: 'chargeback' });
  await send(reportOf([item(id, 100_000)], { id: 'charge' }));
  await match('charge');
  await shop.post(`/sandbox/charges/${id}/chargeback`, {});
  await send(reportOf([line, item('t0000000000000000000', 5)], { id: 'early' }));
  await match('early');
  await shop.post(`/sandbox/charges/${id}/chargeback`, { outcome: 'accepted' });
  await Promise.all([sweep(), sweep(), sweep()]);
  expect(await resultsOf('early')).toEqual(['matched', 'unknown']);
  expect(await reportRow('early')).toMatchObject({ status: 'differs', matched: 1, differing: 1 });
  expect(await latest()).toMatchObject({ status: 'matched', chargebacks: -100_000 });
  expect(await differences()).toEqual([]);
});

it('recaudo records an item as a duplicate if another report has settled it in the meantime', async () => {
  const id = await newCharge();
  await abandonCharge(db(), id);
  for (const name of ['first', 'second']) {
    await send(reportOf([item(id, 100_000)], { id: name }));
    await match(name);
  }
  await runRecovery();
  expect(await sweep()).toBe(2);
  expect([await resultsOf('first'), await resultsOf('second')]).toEqual([['matched'], ['repeated']]);
  expect(await sweep()).toBe(0);
  expect(await differences()).toEqual([]);
});
