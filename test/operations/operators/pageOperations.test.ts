/** Timelines, previews and changes over GraphQL, as the operator page uses them. */
import { eventually, until } from '../../harness/flow/until';
import { abandonCharge } from '../../harness/merchant/abandonCharge';
import { testOperators } from '../../harness/merchant/operators';
import { errorOf } from '../../harness/servers/api';
import { testWebhooks } from '../../harness/webhooks/webhooks';

const temporalUi = 'http://temporal.test';
const { api, billing, db, receiver, newHook, deliveries, pay } = testWebhooks({
  ownWorld: true,
  neighbours: { temporalUi },
});
const { keys, operate } = testOperators(api);

const STORY = `query ($id: ID!, $first: Int, $after: String) { story(id: $id, first: $first, after: $after) {
  id kind merchant_id environment temporal_problem actions workflows { id url }
  entries { nodes { at source text } pageInfo { hasNextPage endCursor } } } }`;
const PREVIEW = `query ($action: OperatorAction!, $id: ID!, $environment: MerchantEnvironment, $over_seconds: Int) {
  operatorActionPreview(action: $action, id: $id, environment: $environment, over_seconds: $over_seconds) { action id steps } }`;
const mutation = (name: string) => `mutation ($id: ID!, $reason: String!) { ${name}(id: $id, reason: $reason) { id } }`;

/** Retried while a busy Temporal server exceeds the limit of three seconds. */
const storyOf = (id: string, page: object = {}) =>
  eventually(async () => {
    const story = await operate('read', STORY, { id, ...page });
    expect(story.temporal_problem).toBeNull();
    return story;
  });
const preview = (action: string, id: string, more: object = {}, headers = {}) =>
  operate('read', PREVIEW, { action, id, ...more }, headers);
const audited = (object_id: string) =>
  db().auditEntry.findMany({
    where: { object_id, actor: 'operator', action: { not: 'merchant.created' } },
    orderBy: { id: 'asc' },
    select: { action: true, actor_id: true, after: true },
  });
const newTrial = () => billing.subscribe('2040-01-10', { plan: { trial_days: 1 } });

it('the story of a subscription has its facts, its workflow in the Temporal UI, and the possible changes', async () => {
  const subscription = await newTrial();
  await eventually(() => subscription.workflow().describe());
  const story = await storyOf(subscription.id);
  const workflow = `subscription-${subscription.id}`;
  expect(story).toMatchObject({
    kind: 'subscription',
    merchant_id: api.merchants().own.id,
    environment: 'sandbox',
    actions: ['hold', 'rebuild'],
    workflows: [{ id: workflow, url: `${temporalUi}/namespaces/${billing.namespace.name()}/workflows/${workflow}` }],
  });
  const sources = story.entries.nodes.map(({ source }: { source: string }) => source);
  expect(sources).toEqual(expect.arrayContaining(['row', 'history', 'event', 'temporal']));
  expect(story.entries.nodes[0]).toMatchObject({ at: null });
  const both = await storyOf(subscription.id, { first: 2 });
  const first = await storyOf(subscription.id, { first: 1 });
  expect(first.entries).toMatchObject({ nodes: [both.entries.nodes[0]], pageInfo: { hasNextPage: true } });
  const second = await storyOf(subscription.id, { first: 1, after: first.entries.pageInfo.endCursor });
  expect(second.entries.nodes).toEqual([both.entries.nodes[1]]);
});

it('the story of a customer and a plan has their changes', async () => {
  const { customer_id, created } = await newTrial();
  expect(await storyOf(customer_id)).toMatchObject({ kind: 'customer', actions: ['hold'], workflows: [] });
  expect(await storyOf(created.plan_id)).toMatchObject({ kind: 'plan', actions: ['hold'], workflows: [] });
  expect(errorOf(await operate('read', STORY, { id: 'nobody' }))).toBe(1005);
});

it('a hold is previewed in the language of the operator, placed and released', async () => {
  const { id } = await newTrial();
  const { steps } = await preview('hold', id);
  expect(steps[0]).toBe(`Billing of the subscription ${id} is held until an operator releases it.`);
  const spanish = await preview('hold', id, {}, { 'accept-language': 'es' });
  expect(spanish.steps[0]).toContain(`la suscripción ${id} se detienen`);
  expect(await audited(id)).toEqual([]);
  expect(errorOf(await preview('release', id))).toBe(3006);

  await operate('support', mutation('holdBilling'), { id, reason: 'Wrong prices' });
  expect(await storyOf(id)).toMatchObject({ actions: ['release', 'rebuild'] });
  const release = await preview('release', id, { over_seconds: 60 });
  expect(release.steps[2]).toContain('over 60 seconds');
  expect(errorOf(await preview('hold', id))).toBe(3006);
  await operate('support', mutation('releaseBilling'), { id, reason: 'Prices corrected' });
  expect(await audited(id)).toMatchObject([
    { action: 'billing.held', actor_id: keys.support.id, after: { reason: 'Wrong prices' } },
    { action: 'billing.released', actor_id: keys.support.id, after: { reason: 'Prices corrected' } },
  ]);
  const everything = await preview('hold', 'everything', { environment: 'production' });
  expect(everything.steps[0]).toContain('everything in production');
});

it('a suspension and its end are previewed, and keep their reasons', async () => {
  const { id } = api.merchants().other;
  expect((await preview('suspend', id)).steps).toHaveLength(3);
  expect(errorOf(await preview('resume', id))).toBe(3006);
  await operate('support', mutation('suspendMerchant'), { id, reason: 'Too many chargebacks' });
  expect((await preview('resume', id)).steps[0]).toMatch(/can move money again\.$/);
  await operate('support', mutation('resumeMerchant'), { id, reason: 'Chargebacks explained' });
  expect(await audited(id)).toMatchObject([
    { action: 'merchant.suspended', after: { reason: 'Too many chargebacks' } },
    { action: 'merchant.resumed', after: { reason: 'Chargebacks explained' } },
  ]);
});

it('a terminated workflow is restarted from the row', async () => {
  const subscription = await newTrial();
  const before = await eventually(() => subscription.workflow().describe());
  const { steps } = await eventually(async () => {
    const planned = await preview('rebuild', subscription.id);
    expect(planned.steps).toBeDefined();
    return planned;
  });
  expect(steps[0]).toMatch(/^The workflow subscription-\w+ \(running.*\) is terminated\.$/);
  await operate('support', mutation('rebuildSubscription'), { id: subscription.id, reason: 'It fails' });
  await eventually(async () => {
    const { runId, status } = await subscription.workflow().describe();
    expect([runId === before.runId, status.name]).toEqual([false, 'RUNNING']);
  });
  expect(await audited(subscription.id)).toMatchObject([
    { action: 'subscription.rebuilt', actor_id: keys.support.id, after: { reason: 'It fails' } },
  ]);
});

it('an unknown outcome is resolved at the acquirer', async () => {
  const id = await pay();
  expect(await storyOf(id)).toMatchObject({ kind: 'transaction', actions: [] });
  expect(errorOf(await preview('ask_acquirer', id))).toBe(3006);
  // Its process has not died for long enough, so recovery waits.
  await abandonCharge(db(), id, {
    lease_until: new Date(Date.now() + 3_600_000),
    creation_date: new Date(Date.now() - 3_600_000),
  });
  const story = await storyOf(id);
  expect(story.actions).toEqual(['ask_acquirer']);
  expect(story.entries.nodes).toContainEqual(
    expect.objectContaining({ source: 'acquirer', text: expect.stringMatching(`^${id} approved`) }),
  );
  expect((await preview('ask_acquirer', id)).steps[0]).toContain('The progress is prepared');
  await operate('support', mutation('askAcquirer'), { id, reason: 'The acquirer is back' });
  await eventually(async () => expect((await api.rest('GET', `/charges/${id}`)).body.status).toBe('completed'));
  expect(await audited(id)).toMatchObject([{ action: 'acquirer.asked', after: { reason: 'The acquirer is back' } }]);
});

it('an event is resent once for one Idempotency-Key', async () => {
  const { id: webhook, path } = await newHook({ event_types: ['charge.succeeded'] });
  const charge = await pay();
  await until(() => receiver.at(path).some(({ body }) => body.transaction?.id === charge));
  const [{ id, event_id }] = await deliveries(webhook);
  expect(await storyOf(id)).toMatchObject({ kind: 'delivery', actions: ['resend'] });
  expect((await preview('resend', event_id)).steps.join()).toMatch(/is sent again to 127\.0\.0\.1:\d+/);
  const headers = { 'Idempotency-Key': 'resend once' };
  for (let i = 0; i < 2; i++)
    await operate('support', mutation('resendEvent'), { id, reason: 'The merchant asked' }, headers);
  expect(await db().delivery.count({ where: { webhook_id: webhook, event_id } })).toBe(2);
  expect(await audited(id)).toMatchObject([{ action: 'event.resent', after: { reason: 'The merchant asked' } }]);
});

it('a key with the role read sees timelines and previews, and can change nothing', async () => {
  const { id } = await newTrial();
  expect(await operate('read', '{ currentOperator { id name role key } }')).toEqual({
    ...{ id: keys.read.id, name: 'read', role: 'read', key: null },
  });
  for (const name of ['askAcquirer', 'resendEvent', 'rebuildSubscription', 'holdBilling', 'releaseBilling'])
    expect([name, errorOf(await operate('read', mutation(name), { id, reason: 'x' }))]).toEqual([name, 1010]);
  expect(errorOf(await operate('support', mutation('rebuildSubscription'), { id, reason: '' }))).toBe(1001);
  expect(await audited(id)).toEqual([]);
});

it('the latest objects of a merchant are listed without the paths of its webhooks', async () => {
  const { id: webhook } = await newHook();
  const charge = await pay();
  const { id: subscription } = await newTrial();
  const activity = await operate(
    'read',
    `query ($id: ID!) { merchantActivity(id: $id) {
      charges { id status amount method } payouts { id } subscriptions { id status plan } webhooks { id host status } } }`,
    { id: api.merchants().own.id },
  );
  expect(activity.charges[0]).toMatchObject({ id: charge, status: 'completed', method: 'card' });
  expect(activity.subscriptions).toContainEqual(expect.objectContaining({ id: subscription, status: 'trial' }));
  expect(activity.webhooks[0]).toMatchObject({ id: webhook, host: expect.stringMatching(/^[^/]+$/) });
});
