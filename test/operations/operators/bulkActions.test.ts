/** Bulk actions of operators: one action on every subscription that a query of workflows finds. */
import { eventually } from '../../harness/flow/until';
import { operatorCommands } from '../../harness/merchant/operatorCommands';
import { testOperators } from '../../harness/merchant/operators';
import { type TestSubscription, testBilling } from '../../harness/merchant/subscriptions';
import { errorOf } from '../../harness/servers/api';

const billing = testBilling({ ownWorld: true });
const { api, namespace } = billing;
const { keys, operate } = testOperators(api);
const db = () => api.database.db();
const run = operatorCommands(() => ({ db: db(), secret: api.secret, temporal: namespace.client() }));
const environment = 'sandbox';

const newTrials = async (count: number) => {
  const plan_id = await billing.newPlan({ trial_days: 1 });
  const trials: TestSubscription[] = [];
  for (let i = 0; i < count; i++) trials.push(await billing.subscribe('2040-01-10', { plan_id }));
  const query = `PlanId = '${plan_id}'`;
  await eventually(async () => expect((await namespace.client().workflow.count(query)).count).toBe(count));
  return { trials, query, ids: trials.map(({ id }) => id).sort() };
};

const bulk = (action: string, query: string, ...more: string[]) =>
  run('bulk', action, '--query', query, '--environment', environment, '--reason', 'Wrong prices', ...more);
const report = async (id: string) => (await run('bulk', 'report', id)).json;
const becomes = (id: string, expected: object) =>
  eventually(async () => expect(await report(id)).toMatchObject(expected));
const entriesOf = (ids: string[]) =>
  db().auditEntry.findMany({
    where: { object_id: { in: ids }, action: { in: ['billing.held', 'billing.released', 'subscription.cancelled'] } },
    orderBy: [{ object_id: 'asc' }, { id: 'asc' }],
  });
const allBulks = () => db().bulkAction.count();

const START = `mutation ($action: BulkActionName!, $query: String!, $environment: MerchantEnvironment!) {
  startBulkAction(action: $action, query: $query, environment: $environment, reason: "Wrong prices", rate: 20) { id state }
}`;
const REPORT = `query ($id: ID!) {
  bulkAction(id: $id) { state found done refused actor_id finished_at refusals { nodes { subscription_id message } } }
}`;

it('the command previews without a change, then acts on sleeping subscriptions and reports', async () => {
  const { query, ids, trials } = await newTrials(3);
  const before = await allBulks();
  const dry = await bulk('hold', query);
  expect(dry).toMatchObject({ isDryRun: true, json: { done: false, found: 3 } });
  expect(dry.json.subscriptions.map((each: { id: string }) => each.id).sort()).toEqual(ids);
  expect(dry.text).toContain('The query finds 3 live subscriptions of sandbox now.');
  expect(await allBulks()).toBe(before);

  const started = await bulk('hold', query, '--rate', '20', '--yes');
  await becomes(started.json.id, { state: 'done', found: 3, done: 3, refused: 0, refusals: [] });
  const audited = await entriesOf(ids);
  expect(
    audited.map(({ object_id, actor, actor_id, request_id, after }) => [object_id, actor, actor_id, request_id, after]),
  ).toEqual(
    ids.map(id => [
      ...[id, 'operator', 'command line', `${started.json.id}/${id}`],
      expect.objectContaining({ reason: 'Wrong prices' }),
    ]),
  );
  expect(await db().auditEntry.findFirst({ where: { object_id: started.json.id } })).toMatchObject({
    action: 'bulk.started',
    after: { action: 'hold', query, environment, rate: 20, reason: 'Wrong prices' },
  });
  await trials[0]?.moveTo('2040-01-12');
  expect(await trials[0]?.charges()).toEqual([]);
  expect((await run('bulk', 'list')).text).toContain(started.json.id);
});

it('a refusal is reported with its sentence, and the other subscriptions are changed', async () => {
  const { query, ids, trials } = await newTrials(2);
  await run('hold', trials[0]?.id ?? '', '--reason', 'Another incident', '--yes');
  const { id } = await operate('support', START, { action: 'hold', query, environment });
  await becomes(id, { state: 'done', done: 1, refused: 1 });
  expect(await operate('read', REPORT, { id })).toMatchObject({
    ...{ state: 'done', found: 2, done: 1, refused: 1, actor_id: keys.support.id, finished_at: expect.any(String) },
    refusals: {
      nodes: [
        {
          subscription_id: trials[0]?.id,
          message: expect.stringMatching(/^Billing is already on hold .*Another incident/),
        },
      ],
    },
  });
  expect(await entriesOf(ids)).toHaveLength(2);
});

it('retry charges the unpaid period of each once, and cancel ends each', async () => {
  const { query, trials } = await newTrials(2);
  for (const trial of trials) {
    await billing.shop.script(trial.card_id, 3003);
    await trial.moveTo('2040-01-11');
    expect(await trial.read()).toMatchObject({ status: 'past_due' });
  }
  const retried = await bulk('retry', `${query} AND SubscriptionStatus = 'past_due'`, '--rate', '20', '--yes');
  await becomes(retried.json.id, { state: 'done', done: 2 });
  for (const trial of trials) {
    await trial.becomes({ status: 'active', current_period_number: 1 });
    expect(await trial.journal()).toMatchObject([{ outcome: 3003 }, { outcome: 'approved' }]);
  }
  const cancelled = await bulk('cancel', query, '--yes');
  await becomes(cancelled.json.id, { state: 'done', done: 2 });
  for (const trial of trials) expect(await trial.read()).toMatchObject({ status: 'cancelled' });
});

it('never acts on another environment or another kind of workflow, with any query', async () => {
  const { ids, query } = await newTrials(1);
  const started = await run(
    ...[
      'bulk',
      'hold',
      '--query',
      `PlanId = 'none' OR ${query}`,
      '--environment',
      'production',
      '--reason',
      'x',
      '--yes',
    ],
  );
  expect(started.json).toMatchObject({ found: 0, subscriptions: [] });
  await becomes(started.json.id, { state: 'done', found: 0, done: 0 });
  const open = `${query}) OR (PlanId = 'p'`;
  for (const bad of ['Nothing here', open, `${query} ORDER BY StartTime`]) {
    const before = await allBulks();
    await expect(bulk('hold', bad, '--yes')).rejects.toThrow(/^Temporal refuses the query: \S/);
    expect(errorOf(await operate('support', START, { action: 'hold', query: bad, environment }))).toBe(1003);
    expect(await allBulks()).toBe(before);
  }
  expect(await entriesOf(ids)).toEqual([]);
});

it('support may start and stop, only admin may cancel, and read may only look', async () => {
  const { query, ids } = await newTrials(1);
  const before = await allBulks();
  expect(errorOf(await operate('read', START, { action: 'hold', query, environment }))).toBe(1010);
  expect(errorOf(await operate('support', START, { action: 'cancel', query, environment }))).toBe(1010);
  expect(await allBulks()).toBe(before);
  const preview =
    'query ($query: String!) { bulkActionPreview(action: cancel, environment: sandbox, query: $query) { found subscription_ids steps } }';
  expect(await operate('read', preview, { query })).toMatchObject({ found: 1, subscription_ids: ids });
  expect(errorOf(await operate('read', 'mutation { stopBulkAction(id: "j0") { id } }'))).toBe(1010);
  expect(errorOf(await operate('support', 'mutation { stopBulkAction(id: "j0") { id } }'))).toBe(1005);
  const key = { 'Idempotency-Key': 'one bulk action' };
  const first = await operate('admin', START, { action: 'cancel', query, environment }, key);
  expect(await operate('admin', START, { action: 'cancel', query, environment }, key)).toEqual(first);
  expect(await allBulks()).toBe(before + 1);
  await becomes(first.id, { state: 'done', done: 1 });
  const stop = await operate('support', 'mutation ($id: ID!) { stopBulkAction(id: $id) { id } }', { id: first.id });
  expect(errorOf(stop)).toBe(3006);
});

it('a stopped bulk action leaves the rest unchanged', async () => {
  const { query, ids } = await newTrials(3);
  const { id } = (await bulk('hold', query, '--rate', '1', '--yes')).json;
  await eventually(async () => expect((await report(id)).done).toBeGreaterThan(0));
  expect((await run('bulk', 'stop', id)).json).toMatchObject({ state: 'stopped' });
  const { done } = await report(id);
  const other = (await bulk('release', query, '--rate', '20', '--yes')).json;
  await becomes(other.id, { state: 'done', done, refused: 3 - done });
  expect(await report(id)).toMatchObject({ state: 'stopped', done });
  expect((await entriesOf(ids)).filter(({ action }) => action === 'billing.held')).toHaveLength(done);
});

it('a worker killed midway is replaced by another, and each subscription is changed once', async () => {
  const { query, ids } = await newTrials(4);
  const { id } = (await bulk('cancel', query, '--rate', '1', '--yes')).json;
  await eventually(async () => expect((await report(id)).done).toBeGreaterThan(0));
  await Promise.all(billing.workers.splice(0).map(worker => worker.stop('SIGKILL')));
  // As if the worker had died after the change and before it noted the outcome.
  const { done } = await report(id);
  expect(done).toBeLessThan(4);
  await db().bulkItem.updateMany({ where: { bulk_id: id }, data: { outcome: null } });
  await db().bulkAction.update({ where: { id }, data: { done: 0, rate: 20, again_at: new Date(0) } });
  await billing.startWorker();
  await becomes(id, { state: 'done', found: 4, done: 4, refused: 0 });
  // Repeated, it would be refused.
  expect((await entriesOf(ids)).map(({ object_id }) => object_id)).toEqual(ids);
});
