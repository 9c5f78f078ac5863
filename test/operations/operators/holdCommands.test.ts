/** Commands for billing holds: a preview, one hold with its reason and the operator's name, and the refusals. */
import { drainOutbox } from '../../../src/operations/background/outbox';
import { outboxHandlers } from '../../../src/operations/background/outboxHandlers';
import { newId } from '../../../src/platform/identifiers';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { operatorCommands } from '../../harness/merchant/operatorCommands';
import { testOperators } from '../../harness/merchant/operators';
import { errorOf, testApi } from '../../harness/servers/api';

const api = testApi({ ownWorld: true });
const shop = merchantCalls(api);
const { keys, operate, lastEntry } = testOperators(api);
const db = () => api.database.db();
const run = operatorCommands(() => ({ db: db(), secret: api.secret }));
const reason = ['--reason', 'Wrong prices'] as const;
const counts = () => Promise.all([db().billingHold.count(), db().outbox.count(), db().auditEntry.count()]);

it('without --yes, prints a preview and changes nothing', async () => {
  const plan = await shop.newPlan();
  const before = await counts();
  const dry = await run('hold', plan, ...reason);
  expect(dry).toMatchObject({ isDryRun: true, json: { done: false, id: plan, scope: 'plan', reason: 'Wrong prices' } });
  expect(dry.text).toContain(`Billing of the plan ${plan} is held until an operator releases it.`);
  expect(dry.text).toContain('The hold covers 0 subscriptions');
  expect(await counts()).toEqual(before);
  await run('hold', plan, ...reason, '--yes');
  const held = await counts();
  const released = await run('release', plan, '--reason', 'Mended', '--over', '10m');
  expect(released).toMatchObject({ isDryRun: true, json: { done: false } });
  expect(released.text).toMatch(/It was held since \S+ by command line: Wrong prices\./);
  expect(released.text).toContain('Overdue periods are billed once, over 600 seconds');
  expect(await counts()).toEqual(held);
  await run('release', plan, '--reason', 'Mended', '--yes');
});

it('holds lists each hold with its operator, as a table or JSON', async () => {
  const [plan, customer] = [await shop.newPlan(), await shop.newCustomer()];
  expect((await run('holds')).text).toBe('No results.');
  await run('hold', plan, ...reason, '--yes');
  const far = run('hold', customer, ...reason, '--until', '2126-01-01', '--yes');
  await expect(far).rejects.toThrow('until is more than 366 days ahead');
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  await run('hold', customer, ...reason, '--until', tomorrow, '--yes');
  await run('hold', 'everything', ...reason, '--environment', 'production', '--yes');
  const { text, json } = await run('holds');
  expect(text).toMatch(/^ID +ENVIRONMENT +SCOPE +OBJECT ID +MERCHANT ID +HELD AT +UNTIL +ACTOR ID +REASON\n/);
  expect(json.map(({ scope, object_id }: Record<string, string>) => [scope, object_id])).toEqual([
    ['everything', 'production'],
    ['customer', customer],
    ['plan', plan],
  ]);
  expect((await run('holds', '--environment', 'production')).json).toMatchObject([{ merchant_id: null, until: null }]);
  expect((await run('holds', '--merchant', api.merchants().own.id)).json).toHaveLength(2);
  for (const id of [plan, customer]) await run('release', id, ...reason, '--yes');
  await run('release', 'everything', ...reason, '--environment', 'production', '--yes');
  expect((await run('holds')).json).toEqual([]);
});

it('a hold is created once, with its reason; a repeat returns the same hold, and another reason is refused', async () => {
  const plan = await shop.newPlan();
  const made = await Promise.all(Array.from({ length: 5 }, () => run('hold', plan, ...reason, '--yes')));
  expect(new Set(made.map(({ json }) => json.hold_id)).size).toBe(1);
  const refusal = /^Billing is already on hold since \S+ by command line: Wrong prices$/;
  await expect(run('hold', plan, '--reason', 'Other', '--yes')).rejects.toThrow(refusal);
  await expect(run('hold', plan, '--reason', 'Other')).rejects.toThrow(refusal);
  const releases = await Promise.allSettled(
    Array.from({ length: 5 }, () => run('release', plan, '--reason', 'Mended', '--yes')),
  );
  expect(releases.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const entries = await db().auditEntry.findMany({ where: { object_id: plan }, orderBy: { id: 'asc' } });
  expect(entries.map(({ action, actor, actor_id, merchant_id }) => [action, actor, actor_id, merchant_id])).toEqual(
    ['billing.held', 'billing.released'].map(action => [action, 'operator', 'command line', api.merchants().own.id]),
  );
  expect(entries[1]).toMatchObject({ before: { reason: 'Wrong prices' }, after: { reason: 'Mended', scope: 'plan' } });
});

it('holds are the same over GraphQL, with the name of the key', async () => {
  const plan = await shop.newPlan();
  const fields = '{ id scope object_id reason actor actor_id until released_at released_by }';
  const hold = `mutation { holdBilling(id: "${plan}", reason: "Wrong prices") ${fields} }`;
  const made = await operate('support', hold);
  expect(made).toMatchObject({ scope: 'plan', object_id: plan, actor: 'operator', actor_id: keys.support.id });
  expect(await operate('support', hold)).toEqual(made);
  expect(await lastEntry()).toMatchObject({ action: 'billing.held', actor_id: keys.support.id, object_id: plan });
  expect((await operate('read', `{ holds { nodes ${fields} } }`)).nodes).toEqual([made]);
  expect((await operate('read', `{ holds(after: "${made.id}") { nodes ${fields} } }`)).nodes).toEqual([]);
  expect(errorOf(await operate('read', '{ holds(after: "x") { nodes { id } } }'))).toBe(1003);
  const release = `mutation { releaseBilling(id: "${plan}", reason: "Mended", over_seconds: 60) ${fields} }`;
  expect(await operate('support', release)).toMatchObject({ id: made.id, released_by: 'operator' });
  expect(errorOf(await operate('support', release))).toBe(3006);
  expect((await operate('read', `{ holds { nodes ${fields} } }`)).nodes).toEqual([]);
  expect(errorOf(await operate('support', 'mutation { holdBilling(id: "everything", reason: "x") { id } }'))).toBe(
    1003,
  );
  expect(errorOf(await operate('support', 'mutation { holdBilling(id: "nobody", reason: "x") { id } }'))).toBe(1005);
});

it.each([
  ['--over 10m', ['--over', '10m'], 500, 600],
  ['the default duration', [], 300, 7200],
])('spreads overdue charges over time with %s', async (_, over, min, max) => {
  const [plan_id, customer] = [await shop.newPlan({ trial_days: 1 }), await shop.newCustomer()];
  const source_id = await shop.newCard(`/customers/${customer}/cards`);
  const { body: created } = await shop.post(`/customers/${customer}/subscriptions`, { plan_id, source_id });
  await run('hold', plan_id, ...reason, '--yes');
  await db().$executeRaw`
    insert into subscriptions select (jsonb_populate_record(s, jsonb_build_object('id', 's' || translate(lpad(n::text, 19, '0'), '0123456789', 'abcdefghij') ,
      'due_at', now() - interval '1 day'))).* from subscriptions s, generate_series(1, 1500) n where s.id = ${created.id}`;
  await db().outbox.deleteMany();
  await run('release', plan_id, '--reason', 'Mended', ...over, '--yes');
  while ((await drainOutbox(db(), outboxHandlers('database', { db: db() }))) > 0);
  const [spread] = await db().$queryRaw<{ nudges: number; seconds: number; moments: number }[]>`
    select count(distinct object_id)::integer as nudges, extract(epoch from max(again_at - creation_date))::integer as seconds,
      count(distinct date_trunc('second', again_at))::integer as moments
    from outbox where kind = 'nudge'`;
  expect(spread?.nudges).toBe(1501);
  expect(spread?.seconds).toBeGreaterThan(min);
  expect(spread?.seconds).toBeLessThanOrEqual(max);
  expect(spread?.moments).toBeGreaterThan(200);
  await db().outbox.deleteMany();
  await db().subscription.deleteMany({ where: { plan_id, NOT: { id: created.id } } });
});

describe('refusals', () => {
  it.each([
    [['hold', 'nobody', ...reason], 'No subscription, customer, plan or merchant has the ID nobody'],
    [['hold', 'everything', ...reason], 'environment must be one of sandbox, production'],
    [['hold', 'everything', ...reason, '--environment', 'moon'], '--environment must be one of sandbox, production'],
    [
      ['hold', 'm1', ...reason, '--until', 'soon'],
      '--until must be a date or a timestamp such as 2026-12-01T08:00:00-05:00',
    ],
    [['hold', 'm1', ...reason, '--until', '2020-01-01'], '--until is in the past'],
    [
      ['release', 'm1', ...reason, '--over', '10'],
      '--over must be a duration of at most a day, such as 30s, 10m or 2h',
    ],
    [
      ['release', 'm1', ...reason, '--over', '25h'],
      '--over must be a duration of at most a day, such as 30s, 10m or 2h',
    ],
    [['drain', 'nobody', ...reason], 'There is no worker nobody'],
    [['drain', 'all', ...reason], 'There are no workers'],
  ])('%j', async (args, message) => {
    await expect(run(...args)).rejects.toMatchObject({ message });
  });

  it('include objects of the other environment and objects without a hold', async () => {
    const { id } = api.merchants().own;
    await expect(run('hold', id, ...reason, '--environment', 'production')).rejects.toThrow(
      `${id} belongs to the sandbox environment`,
    );
    await expect(run('release', id, ...reason)).rejects.toThrow('Billing is not on hold');
  });
});

it('drain lists workers, sends one request, and records the operator and the reason', async () => {
  const worker = { environment: null, host: 'one', pid: 1, build: '1', started_at: new Date(), beat_at: new Date() };
  const [first, second] = [newId('worker'), newId('worker')];
  await db().workerProcess.createMany({ data: [first, second].map(id => ({ id, ...worker })) });
  expect((await run('workers')).text).toMatch(
    /^ID +ENVIRONMENT +HOST +PID +BUILD +STARTED AT +LAST BEAT +DRAIN ASKED AT/,
  );
  const dry = await run('drain', first, '--reason', 'Upgrade');
  expect(dry).toMatchObject({ isDryRun: true, json: { done: false, workers: [{ id: first, environment: 'both' }] } });
  expect(dry.text).toContain('1 other worker keeps running');
  const asked = () => db().workerProcess.count({ where: { drain_asked_at: { not: null } } });
  expect(await asked()).toBe(0);
  await run('drain', first, '--reason', 'Upgrade', '--yes');
  expect(await asked()).toBe(1);
  expect((await run('drain', 'all', '--reason', 'Upgrade', '--yes')).text).toContain('No other worker is running');
  expect(await asked()).toBe(2);
  const entries = await db().auditEntry.findMany({ where: { action: 'worker.drained' }, orderBy: { id: 'asc' } });
  expect(entries.map(({ object_id, after }) => [object_id, after])).toEqual(
    [first, second].map(id => [id, { reason: 'Upgrade' }]),
  );
});
