/** The operators' view of a failing webhook, of a charge across all parts, and of redelivery. */
import { AcquirerConnection } from '../../../src/gateway/acquirer/connection';
import { createLog } from '../../../src/platform/log';
import { eventually, until } from '../../harness/flow/until';
import { abandonCharge } from '../../harness/merchant/abandonCharge';
import { testSettlements } from '../../harness/merchant/settlements';
import { testWebhooks } from '../../harness/webhooks/webhooks';
import { secrets } from '../../harness/world/secrets';
import { retriedCommands } from './retriedCommands';

const { api, billing, shop, post, receiver, db, newHook, deliveries, pay } = testWebhooks({ ownWorld: true });
const acquirers = () => {
  const { url } = api.acquirer.credentials();
  return { sandbox: new AcquirerConnection({ url, key: secrets.ACQUIRER_KEY, log: createLog('test') }) };
};
const run = retriedCommands(() => ({
  db: db(),
  secret: api.secret,
  temporal: billing.namespace.client(),
  acquirers: acquirers(),
}));
const { send, reportOf, item, reportRow } = testSettlements(api);

interface ShownLine {
  at: string;
  source: string;
  text: string;
}
const story = async (id: string): Promise<ShownLine[]> => (await run('story', id)).json.story;
const textsOf = (lines: ShownLine[], source: string) =>
  lines.filter(line => line.source === source).map(({ text }) => text);
const entriesOf = (object_id: string) =>
  db().auditEntry.findMany({ where: { object_id }, select: { action: true, actor: true, after: true } });

it('the story of a charge has the ledger, events, deliveries and the acquirer in chronological order', async () => {
  const { path } = await newHook({ event_types: ['charge.succeeded'] });
  const id = await pay();
  await until(() => receiver.at(path).some(({ body }) => body.transaction?.id === id));
  // The response is recorded a moment after the receiver has sent it.
  const lines = await eventually(async () => {
    const timeline = await story(id);
    expect(textsOf(timeline, 'delivery')).toEqual([
      expect.stringMatching(/ to 127\.0\.0\.1:\d+ was created$/),
      expect.stringMatching(/ attempt 1: 200 in \d+ ms$/),
      expect.stringMatching(/ is delivered after 1 attempts; /),
    ]);
    return timeline;
  });
  expect(textsOf(lines, 'row')).toEqual([
    expect.stringMatching(`^charge ${id} of \\d+ by card was created$`),
    expect.stringMatching(`^${id} is completed \\(settled\\), authorization \\d+$`),
  ]);
  expect(textsOf(lines, 'event')).toEqual([expect.stringMatching(`^charge.succeeded of ${id} \\(e`)]);
  expect(textsOf(lines, 'ledger').length).toBeGreaterThan(0);
  expect(textsOf(lines, 'acquirer')).toEqual([expect.stringMatching(`^${id} approved, authorization \\d+$`)]);
  const moments = lines.map(({ at }) => at);
  const past = moments.filter(at => at !== 'now');
  expect(moments).toEqual([...[...past].sort(), ...moments.filter(at => at === 'now')]);
});

it("an operator's command resends a failed delivery as a new one", async () => {
  const { id: webhook, path } = await newHook({ event_types: ['charge.succeeded'] });
  let status = 503;
  receiver.answers(request => (request.path === path ? status : 200));
  await pay();
  const failing = await eventually(async () => {
    const [delivery] = await deliveries(webhook, '?status=retrying');
    if (!delivery) throw new Error('not yet');
    return delivery;
  });
  // For the duration of the test: the second attempt would follow ten seconds after the first.
  await db().delivery.update({ where: { id: failing.id }, data: { next_at: new Date(Date.now() + 86_400_000) } });
  const { memo } = await eventually(() =>
    billing.namespace.client().workflow.getHandle(`delivery-${failing.id}`).describe(),
  );
  expect(memo).toMatchObject({ operator_page: `http://pages.test/operator/story/${failing.id}` });
  const lines = await story(failing.id);
  expect(textsOf(lines, 'delivery')).toContainEqual(expect.stringMatching(`^${failing.id} attempt 1: 503 in`));
  expect(textsOf(lines, 'delivery')).toContainEqual(
    expect.stringMatching(`^${failing.id} is retrying after 1 attempts`),
  );
  expect(textsOf(lines, 'temporal')).toContainEqual(expect.stringContaining(`delivery-${failing.id} is running`));

  const count = () => db().delivery.count({ where: { webhook_id: webhook, event_id: failing.event_id } });
  const dry = await run('resend', failing.id, '--reason', 'They asked');
  expect(dry).toMatchObject({ isDryRun: true, json: { done: false } });
  expect(dry.text).toMatch(/The event \w+ \(charge\.succeeded\) is sent again to 127\.0\.0\.1:\d+, webhook \w+\./);
  expect([await count(), await entriesOf(failing.id)]).toEqual([1, []]);

  status = 200;
  await run('resend', failing.id, '--reason', 'They asked', '--yes');
  await until(async () =>
    (await deliveries(webhook, '?status=delivered')).some(
      (each: { event_id: string }) => each.event_id === failing.event_id,
    ),
  );
  expect(await entriesOf(failing.id)).toEqual([
    {
      action: 'event.resent',
      actor: 'operator',
      after: { reason: 'They asked', event_id: failing.event_id, deliveries: [expect.stringMatching(/^d/)] },
    },
  ]);
  expect((await run('resend', failing.event_id, '--reason', 'Once more')).json.steps.length).toBeGreaterThan(0);
  await db().webhook.update({ where: { id: webhook }, data: { status: 'disabled' } });
  await expect(run('resend', failing.id, '--reason', 'x')).rejects.toThrow(`The webhook ${webhook} is disabled`);
});

it('a late delivery is listed as overdue with its cause', async () => {
  const { id: webhook, path } = await newHook({ event_types: ['charge.succeeded'] });
  receiver.answers(request => (request.path === path ? 503 : 200));
  await pay();
  const { id } = await eventually(async () =>
    db().delivery.findFirstOrThrow({ where: { webhook_id: webhook, status: 'retrying' } }),
  );
  // A workflow that begins or wakes after the deadline would fail the delivery.
  await Promise.all(billing.workers.splice(0).map(worker => worker.stop()));
  await db().webhook.update({ where: { id: webhook }, data: { status: 'disabled' } });
  await db().delivery.update({ where: { id }, data: { next_at: new Date(Date.now() - 3_600_000) } });
  const { overdue, merchants } = (await run('overdue')).json;
  expect(overdue).toContainEqual(
    expect.objectContaining({ kind: 'delivery', id, reason: 'webhook_disabled', amount: null }),
  );
  expect(merchants).toMatchObject([{ merchant_id: api.merchants().own.id, deliveries: 1, amount: 0 }]);
  await billing.startWorker();
});

it('outbox entries that keep failing and refused reports are listed as stuck', async () => {
  const [id] = (
    await db().$queryRaw<{ id: bigint }[]>`
      insert into outbox (kind, object_id, environment, tries, creation_date, again_at)
      values ('webhook_mail', 'w0', 'sandbox', 7, now() - interval '2 days', now() + interval '1 hour') returning id`
  ).map(row => `${row.id}`);
  const report = reportOf([item('t0000000000000000000', 5)], { total: 1 });
  expect((await send(report)).status).toBe(204);
  await eventually(async () => expect((await reportRow(report.id)).status).toBe('refused'));
  const { json, text } = await eventually(async () => {
    const stuck = await run('stuck');
    // Entries that failed once, because Temporal was slow, disappear shortly.
    expect(stuck.json.outbox).toEqual([
      expect.objectContaining({ id, kind: 'webhook_mail', tries: 7, age: expect.stringMatching(/^2 d/) }),
    ]);
    return stuck;
  });
  expect(json.settlements).toEqual([expect.objectContaining({ reference: report.id, reason: expect.any(String) })]);
  expect(text).toMatch(/^SETTLEMENTS\nID +ENVIRONMENT +DAY +REFERENCE +REFUSED AT +REASON\n/m);
});

it("an operator's command resolves a charge whose process died, but not while a process works on it", async () => {
  await Promise.all(billing.workers.splice(0).map(worker => worker.stop()));
  const id = await pay();
  const lease_until = new Date(Date.now() + 3_600_000);
  await abandonCharge(db(), id, { lease_until });
  await expect(run('ask-acquirer', id, '--reason', 'x')).rejects.toThrow(`${id} is being processed until`);
  const creation_date = new Date(Date.now() - 3_600_000);
  await db().transaction.update({ where: { id }, data: { creation_date } });
  expect((await run('stuck')).json.attempts).toEqual([
    expect.objectContaining({ id, progress: 'prepared', tries: null }),
  ]);
  await run('ask-acquirer', id, '--reason', 'Its payer waits');
  expect(await db().transaction.findUnique({ where: { id } })).toMatchObject({ lease_until });
  await run('ask-acquirer', id, '--reason', 'Its payer waits', '--yes');
  await billing.startWorker();
  await eventually(async () => expect((await api.rest('GET', `/charges/${id}`)).body.status).toBe('completed'));
  expect(await entriesOf(id)).toEqual([
    { action: 'acquirer.asked', actor: 'operator', after: { reason: 'Its payer waits' } },
  ]);
});

it("a late payout and a late authorization are listed as overdue, and an operator's command sends a payout", async () => {
  const bank_account = { bank: 'Bancolombia', type: 'savings', number: '12345678901' };
  await api.rest('PUT', '', { body: { bank_account } });
  await pay();
  await shop.settle();
  await Promise.all(billing.workers.splice(0).map(worker => worker.stop()));
  await db().heartbeat.updateMany({ data: { beat_at: new Date(0) } });
  const { id } = (await post('/payouts', { amount: 1000 })).body;
  const earlier = new Date(Date.now() - 3_600_000);
  await db().transaction.update({ where: { id }, data: { creation_date: earlier } });
  const reserved = { ...shop.charge, capture: false, source_id: await shop.newToken(), customer: shop.payer };
  const { id: authorization } = (await post('/charges', reserved)).body;
  await db().transaction.update({ where: { id: authorization }, data: { expires_at: earlier } });
  const { json } = await run('overdue');
  for (const expected of [
    { kind: 'payout', id, amount: 1000, reason: 'worker_away', late: expect.stringMatching(/^1 h/) },
    { kind: 'expiry', id: authorization, reason: 'worker_away' },
  ])
    expect(json.overdue).toContainEqual(expect.objectContaining(expected));
  expect(json.merchants).toMatchObject([{ payouts: 1, expiries: 1 }]);
  expect((await run('stuck')).json.attempts).toContainEqual(expect.objectContaining({ id, progress: 'sending' }));

  const rows = () => db().outbox.count({ where: { object_id: id } });
  await run('ask-acquirer', id, '--reason', 'The merchant waits');
  expect(await rows()).toBe(1);
  await run('ask-acquirer', id, '--reason', 'The merchant waits', '--yes');
  expect(await rows()).toBe(2);
  await billing.startWorker();
  await eventually(async () => expect((await api.rest('GET', `/payouts/${id}`)).body.status).toBe('completed'));
  expect(shop.journalOf(id)).toHaveLength(1);
  // The row is written before its workflow reads it.
  await eventually(async () =>
    expect(textsOf(await story(id), 'temporal')).toContainEqual(expect.stringContaining(`payout-${id} is ended`)),
  );
});

it.each([
  [['story', 'nobody'], 'There is no subscription, transaction, delivery, event, customer or plan nobody'],
  [['resend', 'nobody', '--reason', 'x'], 'There is no delivery or event nobody'],
  [['ask-acquirer', 'nobody', '--reason', 'x'], 'There is no transaction or subscription nobody'],
  [['rebuild', 'nobody', '--reason', 'x'], 'There is no subscription nobody'],
])('%j is refused', async (args, message) => {
  await expect(run(...args)).rejects.toThrow(message);
});
