/** A merchant with a few subscriptions does not wait behind a merchant with many. */

import { optionalTsToMs } from '@temporalio/common/lib/time';
import { visa } from '../harness/cards/testCards';
import { eventually } from '../harness/flow/until';
import { testBilling } from '../harness/merchant/subscriptions';
import { type ApiResponse, sendRequest } from '../harness/servers/api';

const billing = testBilling({ ownWorld: true });
const { api, shop, namespace } = billing;
const db = () => api.database.db();

const MANY = 240;
/** Without round-robin nearly all of the many come first; with it, only those that the worker had already started. */
const MAX_AHEAD = 150;
/** The number of other charges that the acquirer received before the last of these. */
const aheadOf = (ids: string[]): number => {
  const own = new Set(ids);
  const charged = api.acquirer
    .journal()
    .filter(({ operation }) => operation === 'charge')
    .map(({ key }) => own.has(key));
  expect(charged).toContain(true);
  return charged.slice(0, charged.lastIndexOf(true)).filter(isOwn => !isOwn).length;
};

const merchant = (who: 'own' | 'other', count: number) => {
  const { id: merchant_id, private_key: key } = api.merchants()[who];
  const post = (path: string, body: object): Promise<ApiResponse> =>
    sendRequest(`${api.origin()}/v1/${merchant_id}${path}`, 'POST', { key, body });
  const create = async (path: string, body: object): Promise<string> => (await post(path, body)).body.id;
  return {
    subscribe: async () => {
      const customer = await create('/customers', { ...shop.payer, requires_account: false });
      const source_id = await create(`/customers/${customer}/cards`, visa);
      const plan_id = await create('/plans', { ...shop.plan, trial_days: 5 });
      for (let i = 0; i < count; i++) await create(`/customers/${customer}/subscriptions`, { plan_id, source_id });
    },
    /** Starts a move, which may still run on return. Retries while Temporal is too slow to respond. */
    move: (to: string) => eventually(async () => expect((await post('/sandbox/clock', { to })).status).not.toBe(503)),
    /** Request Cancellation wakes a workflow without a worker, and does not end it. */
    wakeAll: async () => {
      const rows = await db().subscription.findMany({ where: { merchant_id } });
      for (const { id } of rows) await namespace.client().workflow.getHandle(`subscription-${id}`).cancel();
    },
    /** When the worker received the task of each woken workflow. */
    takenUp: async (): Promise<number[]> => {
      const rows = await db().subscription.findMany({ where: { merchant_id } });
      return Promise.all(
        rows.map(async ({ id }) => {
          const { events } = await namespace.client().workflow.getHandle(`subscription-${id}`).fetchHistory();
          const woken = events?.findLastIndex(event => event.workflowExecutionCancelRequestedEventAttributes) ?? -1;
          const started = events?.find((event, i) => i > woken && event.workflowTaskStartedEventAttributes);
          return optionalTsToMs(started?.eventTime) ?? Number.POSITIVE_INFINITY;
        }),
      );
    },
    paid: async () => {
      const where = { merchant_id, transaction_type: 'charge', status: 'completed' } as const;
      return (await db().transaction.findMany({ where, select: { id: true } })).map(({ id }) => id);
    },
  };
};

const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const stopWorkers = () => Promise.all(billing.workers.splice(0).map(worker => worker.stop()));
/** Other entries may wait too: settlement reports, and repairs by a sweep while Temporal's list lags. */
const waiting = () => db().outbox.count({ where: { kind: 'nudge' } });
const areAllAsleep = () =>
  eventually(async () => expect(await db().outbox.count({ where: { kind: { not: 'settlement' } } })).toBe(0));

it('round-robin applies to nudges in the outbox, and to tasks in the queue of a worker that was stopped', async () => {
  const [large, small] = [merchant('own', MANY), merchant('other', 3)];
  await Promise.all([large.subscribe(), small.subscribe()]);
  await areAllAsleep();

  await stopWorkers();
  const moves = [large.move(day(8))];
  await eventually(async () => expect(await waiting()).toBe(MANY));
  moves.push(small.move(day(8)));
  await eventually(async () => expect(await waiting()).toBe(MANY + 3));
  await billing.startWorker();
  await eventually(async () => expect(await small.paid()).toHaveLength(3));
  expect(aheadOf(await small.paid())).toBeLessThan(MAX_AHEAD);
  await eventually(async () => expect(await large.paid()).toHaveLength(MANY));
  await Promise.all(moves);
  await areAllAsleep();

  await stopWorkers();
  moves.push(large.move(day(40)), small.move(day(40)));
  await eventually(async () => expect(await waiting()).toBe(MANY + 3));
  await db().outbox.deleteMany({ where: { kind: 'nudge' } });
  await large.wakeAll();
  await small.wakeAll();
  await billing.startWorker();
  await eventually(async () => expect(await small.paid()).toHaveLength(6));
  const last = Math.max(...(await small.takenUp()));
  const ahead = (await large.takenUp()).filter(time => time < last);
  expect(ahead.length).toBeLessThan(MAX_AHEAD);
  await eventually(async () => expect(await large.paid()).toHaveLength(2 * MANY));
  await Promise.all(moves);
});
