/** Plans replaced by a successor, and the change of their subscribers. */
import { eventually } from '../../harness/flow/until';
import { testBilling } from '../../harness/merchant/subscriptions';
import { errorOf, sendRequest } from '../../harness/servers/api';

const billing = testBilling({ ownWorld: true });
const { api, shop } = billing;
const SUBSCRIBERS = 30;
const START = '2040-03-10';
const ALWAYS_DECLINED = '4000000000003345';
let plan_id = '';
const subscribers: { id: string; path: string; quantity: number }[] = [];

const replace = (body: object, key?: string) =>
  api.rest('POST', `/plans/${plan_id}/replace`, { body, ...(key && { headers: { 'Idempotency-Key': key } }) });
const replacement = async () => (await api.rest('GET', `/plans/${plan_id}/replacement`)).body;
const read = async ({ path }: { path: string }) => (await api.rest('GET', path)).body;
const untilDone = () => eventually(async () => expect(await replacement()).toMatchObject({ status: 'done' }));

async function subscribe(body: object = {}, card?: string): Promise<{ id: string; path: string; quantity: number }> {
  const customer_id = await shop.newCustomer({ requires_account: false });
  const source_id = await shop.newCard(`/customers/${customer_id}/cards`, card);
  const path = `/customers/${customer_id}/subscriptions`;
  const answer = await shop.post(path, { plan_id, source_id, ...body });
  expect(answer).toMatchObject({ status: 201 });
  return { id: answer.body.id, path: `${path}/${answer.body.id}`, quantity: answer.body.quantity };
}

/** Subscribes to another plan and plans a change to the replaced one. */
async function subscribeLater(quantity: number): Promise<{ id: string; path: string; quantity: number }> {
  const other = await billing.newPlan({ name: 'Other', amount: 10_000 });
  const { id, path } = await subscribe({ plan_id: other });
  expect((await api.rest('POST', `${path}/change`, { body: { plan_id, quantity } })).status).toBe(200);
  return { id, path, quantity };
}

/** Subscribers that keep their plan, with the reason. */
const skipped: { subscription_id: string; reason: string }[] = [];

beforeAll(async () => {
  plan_id = await billing.newPlan({ name: 'Monthly', amount: 30_000, retry_times: 0, status_after_retry: 'unpaid' });
  expect((await billing.moveClock(`${START}T12:00:00-05:00`)).status).toBe(200);
  const coupon = { code: 'HALF', percent_off: 50, duration: 'forever' };
  expect((await shop.post('/coupons', coupon)).status).toBe(201);
  subscribers.push(await subscribeLater(3));
  for (let i = 1; i < SUBSCRIBERS; i++)
    subscribers.push(await subscribe({ quantity: 1 + (i % 3), ...(i % 4 === 1 && { coupon: 'HALF' }) }));
  const unpaid = await subscribe({}, ALWAYS_DECLINED);
  const premium = await subscribe();
  const change = { plan_id: await billing.newPlan({ name: 'Premium' }) };
  expect((await api.rest('POST', `${premium.path}/change`, { body: change })).status).toBe(200);
  skipped.push({ subscription_id: unpaid.id, reason: 'unpaid' });
  skipped.push({ subscription_id: premium.id, reason: 'other_change_planned' });
});

it('a preview has the totals and changes nothing', async () => {
  const { status, body } = await replace({ amount: 45_000.5, schedule: true, preview: true });
  expect(status).toBe(200);
  expect(body).toMatchObject({ id: null, successor: null, status: 'preview', total: SUBSCRIBERS + 2, skipped: 2 });
  const sum = (amount: number) =>
    subscribers.reduce((all, { quantity }, i) => {
      const price = Math.round(amount * 100) * quantity;
      return all + price - (i % 4 === 1 ? Math.round(price / 2) : 0);
    }, 0) / 100;
  expect(body).toMatchObject({ current_amount: sum(30_000), new_amount: sum(45_000.5) });
  expect((await api.rest('GET', `/plans/${plan_id}/replacement`)).status).toBe(404);
  expect(await read(subscribers[0] ?? { path: '' })).toMatchObject({ pending_change: { plan_id } });
  expect(await read(subscribers[1] ?? { path: '' })).not.toHaveProperty('pending_change.plan_id');
});

it('subscribers change once, also when the worker is killed midway, and are charged the sum of the preview', async () => {
  const preview = (await replace({ amount: 45_000.5, schedule: true, preview: true })).body;
  const [worker] = billing.workers;
  const body = { name: 'Monthly 2040', amount: 45_000.5, schedule: true, close: true };
  // The second batch waits for a locked row, and its statement commits after the worker was killed.
  const first = await api.database.db().$transaction(
    async tx => {
      await tx.$queryRaw`select id from subscriptions where id in (
        select id from subscriptions where plan_id = ${plan_id} order by id offset 25) for update`;
      const answer = await replace(body, 'replace-once');
      expect(answer).toMatchObject({ status: 200, body: { status: 'running', total: SUBSCRIBERS + 2, done: 0 } });
      const second = await replace({ amount: 1000 }, 'another');
      expect([second.status, errorOf(second)]).toEqual([412, 3006]);
      await eventually(async () => expect((await replacement()).done).toBeGreaterThan(20));
      await eventually(async () => {
        const waiting = await api.database.db().$queryRaw<unknown[]>`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        expect(waiting).not.toEqual([]);
      });
      await worker?.stop('SIGKILL');
      return answer;
    },
    { timeout: 60_000 },
  );
  // Changes that the killed worker has not counted.
  await eventually(async () => {
    const changed = (await Promise.all(subscribers.map(read))).filter(({ pending_change }) => pending_change);
    expect(changed.length).toBeGreaterThan((await replacement()).done);
  });
  const repeated = await replace(body, 'replace-once');
  expect(repeated.body.id).toBe(first.body.id);
  await billing.startWorker();
  await untilDone();
  const successor_id = first.body.successor.id;
  expect(await replacement()).toMatchObject({
    done: SUBSCRIBERS,
    skipped: 2,
    skipped_subscriptions: skipped.sort((a, b) => (a.subscription_id < b.subscription_id ? -1 : 1)),
    successor: { id: successor_id, name: 'Monthly 2040', amount: 45_000.5, retry_times: 0, repeat_unit: 'month' },
    current_amount: preview.current_amount,
    new_amount: preview.new_amount,
  });
  for (const subscriber of subscribers) {
    const pending_change = { plan_id: successor_id, quantity: subscriber.quantity, date: '2040-04-10' };
    expect(await read(subscriber)).toMatchObject({ pending_change });
    const { entries: lines } = (await api.rest('GET', `${subscriber.path}/history`)).body;
    const planned = lines.filter(({ description }: { description: string }) =>
      /Monthly 2040.* planned/.test(description),
    );
    expect(planned).toHaveLength(1);
  }
  expect((await api.rest('GET', `/plans/${plan_id}`)).body.status).toBe('deleted');
  expect((await billing.moveClock('2040-04-10T23:00:00-05:00')).status).toBe(200);
  const charges = (await api.rest('GET', '/charges?limit=1000')).body;
  const ids = new Set(subscribers.map(({ id }) => id));
  const renewals = charges.filter(
    ({ subscription_id, creation_date }: { subscription_id: string; creation_date: string }) =>
      ids.has(subscription_id) && creation_date.startsWith('2040-04-10'),
  );
  expect(renewals).toHaveLength(SUBSCRIBERS);
  const centavos = renewals.reduce((sum: number, { amount }: { amount: number }) => sum + Math.round(amount * 100), 0);
  expect(centavos / 100).toBe(preview.new_amount);
  await billing.record('a plan replaced', `planReplacement-${first.body.id}`);
});

it('a second replacement moves the planned changes that the first one moved, and no other', async () => {
  const replaced = await billing.newPlan({ name: 'Replaced' });
  const other = await billing.newPlan({ name: 'Other' });
  const replaceNow = async () => {
    const path = `/plans/${replaced}`;
    const { body } = await api.rest('POST', `${path}/replace`, { body: { schedule: true } });
    await eventually(async () => expect((await api.rest('GET', `${path}/replacement`)).body.status).toBe('done'));
    return { total: body.total, plan_id: body.successor.id };
  };
  const changeTo = async ({ path }: { path: string }, plan: string) =>
    expect((await api.rest('POST', `${path}/change`, { body: { plan_id: plan } })).status).toBe(200);
  const [moved, own] = [await subscribe({ plan_id: other }), await subscribe({ plan_id: other })];
  await changeTo(moved, replaced);
  const first = await replaceNow();
  await changeTo(own, first.plan_id);
  const second = await replaceNow();
  expect([first.total, second.total]).toEqual([1, 1]);
  expect(await read(moved)).toMatchObject({ plan_id: other, pending_change: { plan_id: second.plan_id } });
  expect(await read(own)).toMatchObject({ pending_change: { plan_id: first.plan_id } });
});

it("another merchant's plan is unknown, and without a replacement there is no progress", async () => {
  const { other } = api.merchants();
  const url = `${api.origin()}/v1/${other.id}/plans/${plan_id}`;
  const key = other.private_key;
  for (const answer of [
    await sendRequest(`${url}/replace`, 'POST', { key, body: { amount: 1000 } }),
    await sendRequest(`${url}/replace`, 'POST', { key, body: { preview: true } }),
    await sendRequest(`${url}/replacement`, 'GET', { key }),
    await api.rest('GET', `/plans/${await billing.newPlan()}/replacement`),
  ])
    expect([answer.status, errorOf(answer)]).toEqual([404, 1005]);
});
