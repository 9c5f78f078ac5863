/** Settlement reports with a real worker: their workflows in Temporal, and their recovery. */
import { WorkflowNotFoundError } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { sweepActivities } from '../../../src/operations/background/sweep';
import { EnvironmentAttribute, MerchantIdAttribute } from '../../../workflows/operating/attributes';
import { eventually, until } from '../../harness/flow/until';
import { testSettlements } from '../../harness/merchant/settlements';
import { testBilling } from '../../harness/merchant/subscriptions';

const billing = testBilling({ ownWorld: true });
const { api, shop } = billing;
const { send, item, reportOf, reportRow, isConciliated } = testSettlements(api);
const db = () => api.database.db();
const workflowOf = async (reference: string) =>
  billing.namespace.client().workflow.getHandle(`settlement-${(await reportRow(reference)).id}`);
const started = async (reference: string) => {
  const handle = await workflowOf(reference);
  await eventually(() => handle.describe());
  return handle;
};
let card: string;
const newCharge = () => shop.newCharge(card);
beforeAll(async () => {
  card = await shop.newCard();
});

describe('the workflow of a settlement report', () => {
  it('shows the matched items, is found by its merchant, and contains no amounts', async () => {
    const [id, otherId] = [await newCharge(), await newCharge()];
    const report = reportOf([item(id, 100_000), item(otherId, 100_000)]);
    await send(report);
    const handle = await started(report.id);
    expect(await handle.result()).toBe('matched 2 items, nothing differs');
    const { type, typedSearchAttributes, staticSummary } = await handle.describe();
    expect([type, await staticSummary()]).toEqual(['settlement', 'Settlement report of 2026-11-16']);
    expect(typedSearchAttributes.get(EnvironmentAttribute)).toBe('sandbox');
    expect(typedSearchAttributes.get(MerchantIdAttribute)).toBe(api.merchants().own.id);
    expect(await isConciliated(id)).toBe(true);
    const history = historyToJSON(await handle.fetchHistory());
    const texts = [...history.matchAll(/"data": ?"([\w+/=]+)"/g)].map(([, data = '']) =>
      Buffer.from(data, 'base64').toString(),
    );
    for (const secret of ['María', '100000', '10000000', id]) expect(texts.join(' ')).not.toContain(secret);
    await billing.record('a settlement report matched', handle.workflowId);
  });

  it('waits for missing parts, and lists them', async () => {
    const ids = [await newCharge(), await newCharge(), await newCharge()];
    const whole = { id: 'in-parts', parts: 3, count: 3, total: 30_000_000 };
    const partOf = (part: number) => reportOf([item(ids[part - 1] ?? '', 100_000)], { ...whole, part });
    await send(partOf(2));
    const handle = await started('in-parts');
    const timers = async () =>
      ((await handle.fetchHistory()).events ?? []).flatMap(event =>
        event.timerStartedEventAttributes ? [Buffer.from(event.userMetadata?.summary?.data ?? []).toString()] : [],
      );
    await until(async () => (await timers()).length > 0);
    expect(await timers()).toEqual(['"waiting for parts 1 and 3 of the acquirer"']);
    await send(partOf(3));
    await until(async () => (await timers()).includes('"waiting for part 1 of the acquirer"'));
    expect(await isConciliated(ids[1] ?? '')).toBe(false);
    await send(partOf(1));
    expect(await handle.result()).toBe('matched 3 items, nothing differs');
    await billing.record('a settlement report in parts', handle.workflowId);
  });

  it('fails with a clear message if the total is wrong', async () => {
    const report = reportOf([item(await newCharge(), 100_000)], { total: 5 });
    await send(report);
    const handle = await started(report.id);
    await expect(handle.result()).rejects.toMatchObject({
      cause: { message: 'The sum of the items differs from the stated total.' },
    });
    expect((await reportRow(report.id)).status).toBe('refused');
    await db().settlementReport.delete({ where: { id: (await reportRow(report.id)).id } });
  });

  it('waits for a transaction with an unknown outcome, and settles the remaining transactions', async () => {
    const [known, open] = [await newCharge(), await newCharge()];
    await db().transaction.update({
      where: { id: open },
      data: { progress: 'prepared', lease_until: new Date('2999-01-01Z') },
    });
    const report = reportOf([item(open, 100_000), item(known, 100_000)]);
    await send(report);
    const handle = await started(report.id);
    await until(() => isConciliated(known));
    expect((await handle.describe()).status.name).toBe('RUNNING');
    await db().transaction.update({ where: { id: open }, data: { progress: 'settled' } });
    // The workflow checks again after two seconds, and may have ended by now.
    await handle.signal('nudge').catch(error => expect(error).toBeInstanceOf(WorkflowNotFoundError));
    expect(await handle.result()).toBe('matched 2 items, nothing differs');
  });

  it('is restarted by the sweep', async () => {
    const id = await newCharge();
    const whole = { id: 'swept', parts: 2, count: 1, total: 10_000_000 };
    await send(reportOf([item(id, 100_000)], { ...whole, part: 1 }));
    const handle = await started('swept');
    await handle.terminate();
    const { id: report_id } = await reportRow('swept');
    await db().settlementReport.update({ where: { id: report_id }, data: { received_at: new Date(0) } });
    const { sweepExpired } = sweepActivities(db(), billing.namespace.client());
    expect(await sweepExpired()).toMatchObject({ lost_settlements: 1, found_settlement_items: 0 });
    await until(async () => (await handle.describe()).status.name === 'RUNNING');
    await send(reportOf([], { ...whole, part: 2 }));
    expect(await handle.result()).toBe('matched 1 item, nothing differs');
  });

  it('continues after the worker was killed and the workflow terminated', async () => {
    const ids = [await newCharge(), await newCharge()];
    const [first, second] = ids.map((id, i) =>
      reportOf([item(id, 100_000)], { id: 'killed', part: i + 1, parts: 2, count: 2, total: 20_000_000 }),
    );
    await send(first);
    const handle = await started('killed');
    await Promise.all(billing.workers.splice(0).map(worker => worker.stop('SIGKILL')));
    await handle.terminate();
    await send(second);
    await billing.startWorker();
    await until(async () => (await reportRow('killed')).status === 'matched');
    for (const id of ids) expect(await isConciliated(id)).toBe(true);
  });
});
