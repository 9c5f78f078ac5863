/** Webhooks as a merchant uses them, with a real worker that delivers. */
import { untilAnswered } from '../../src/embedded/part';
import { newId } from '../../src/identifiers';
import { ask, errorOf } from '../harness/api';
import { testBilling } from '../harness/billing';
import { isSignedBy, testReceiver } from '../harness/endpoint';

const billing = testBilling();
const { api, shop } = billing;
const { post } = shop;
const receiver = testReceiver();
const db = () => api.database.db();

let count = 0;
/** A webhook at a path of its own that is verified. */
const newHook = async (more: object = {}, path = `/hook-${count++}`) => {
  const { body } = await post('/webhooks', { url: receiver.url(path), ...more });
  await until(async () => (await read(body.id)).status === 'verified');
  return { id: body.id as string, secret: body.secret as string, path };
};
const read = async (id: string) => (await api.rest('GET', `/webhooks/${id}`)).body;
const until = (isSo: () => boolean | Promise<boolean>) =>
  untilAnswered(async () => {
    if (!(await isSo())) throw new Error('not yet');
  }, 20);
const typesAt = (path: string): string[] => receiver.at(path).map(({ body }) => body.type);
const deliveries = async (id: string, query = '') => (await api.rest('GET', `/webhooks/${id}/deliveries${query}`)).body;
const pay = async (): Promise<string> => shop.newCharge(await shop.newToken());

afterEach(() => receiver.answers(() => 200));

describe('POST /webhooks', () => {
  it('answers 201 with the secret this once, and verifies it by an event', async () => {
    const answer = await post('/webhooks', {
      url: receiver.url('/first'),
      user: 'me',
      password: 'secreto',
      event_types: [],
    });
    const { id, secret } = answer.body;
    expect(answer).toMatchObject({ status: 201, body: { status: 'unverified', user: 'me', event_types: [] } });
    expect(answer.headers.get('resource-id')).toBe(id);
    expect(id).toMatch(/^w[a-z0-9]{19}$/);
    await until(async () => (await read(id)).status === 'verified');
    expect(await read(id)).not.toHaveProperty('secret');
    expect(JSON.stringify(await read(id))).not.toContain('secreto');
    const [verification] = receiver.at('/first');
    expect(verification?.body).toMatchObject({ type: 'verification', verification_code: expect.any(String) });
    expect(verification && isSignedBy(verification, secret)).toBe(true);
    expect(verification?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from('me:secreto').toString('base64')}`,
      'content-type': 'application/json',
      'user-agent': 'recaudo/1',
    });
  });

  it('answers a repeat under its Idempotency-Key alike, and the database never knows the secret', async () => {
    const ask = () =>
      api.rest('POST', '/webhooks', {
        body: { url: receiver.url('/repeated') },
        headers: { 'idempotency-key': 'one hook' },
      });
    const [first, again] = [await ask(), await ask()];
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    const rotate = () =>
      api.rest('POST', `/webhooks/${first.body.id}/rotate_secret`, { body: {}, headers: { 'idempotency-key': 'r' } });
    const rotated = await rotate();
    expect((await rotate()).body).toEqual(rotated.body);
    const kept = await db().idempotentReply.findMany();
    expect(kept.filter(({ path }) => path.includes('/webhooks'))).toHaveLength(2);
    expect(JSON.stringify(kept)).not.toMatch(/whsec_/);
  });

  it('is verified by its code where it answers nothing good, and gets nothing else before', async () => {
    receiver.answers(({ path }) => (path === '/coded' ? 500 : 200));
    const { id } = (await post('/webhooks', { url: receiver.url('/coded') })).body;
    await until(() => receiver.at('/coded').length > 0);
    await pay();
    expect(errorOf(await post(`/webhooks/${id}/test`, {}))).toBe(3006);
    expect(errorOf(await post(`/webhooks/${id}/redeliver`, { from: '2020-01-01', to: '2099-01-01' }))).toBe(3006);
    expect(errorOf(await post(`/webhooks/${id}/verify/nonsense`, {}))).toBe(1003);
    const code = receiver.at('/coded')[0]?.body.verification_code;
    expect((await post(`/webhooks/${id}/verify/${code}`, {})).status).toBe(204);
    expect((await read(id)).status).toBe('verified');
    expect(new Set(typesAt('/coded'))).toEqual(new Set(['verification']));
  });

  it.each([
    ['1001 without url', { url: undefined }, 1001],
    ['1003 for another scheme', { url: 'ftp://shop.example/' }, 1003],
    ['1003 for a password in it', { url: 'https://me:pw@shop.example/' }, 1003],
    ['1003 for an event that there is not', { event_types: ['charge.exploded'] }, 1003],
    ['1003 for a user with a line break', { user: 'me\r\nX-Evil: 1' }, 1003],
    ['1003 for a user with a colon', { user: 'me:you' }, 1003],
  ])('%s', async (_, more, code) => {
    const before = await db().webhook.count();
    expect(errorOf(await post('/webhooks', { url: receiver.url(), ...more }))).toBe(code);
    expect(await db().webhook.count()).toBe(before);
  });

  it('3006 for the fifty-first of a merchant', async () => {
    const { other } = api.merchants();
    const row = { merchant_id: other.id, creation_date: new Date(), url: receiver.url(), verification_code: 'x' };
    const sealed = { secret_sealed: Buffer.from('x') };
    await db().webhook.createMany({
      data: Array.from({ length: 49 }, () => ({ ...row, ...sealed, id: newId('webhook'), status: 'disabled' })),
    });
    const create = () =>
      ask(`${api.origin()}/v1/${other.id}/webhooks`, 'POST', { key: other.private_key, body: { url: receiver.url() } });
    expect((await create()).status).toBe(201);
    expect(errorOf(await create())).toBe(3006);
  });

  it('in production refuses plain http and addresses inside', async () => {
    const { id, private_key } = api.merchants().production;
    const create = async (url: string) => {
      const authorization = `Basic ${Buffer.from(`${private_key}:`).toString('base64')}`;
      const body = JSON.stringify({ url });
      return (
        await fetch(`${api.origin('production')}/v1/${id}/webhooks`, {
          method: 'POST',
          headers: { authorization },
          body,
        })
      ).status;
    };
    for (const url of [
      'http://shop.example/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://2130706433/',
      'https://169.254.169.254/',
    ])
      expect([url, await create(url)]).toEqual([url, 422]);
    expect(await create('https://shop.example/hook')).toBe(201);
  });

  it('is listed, and gone with its deliveries when it is deleted', async () => {
    const { id } = await newHook();
    expect((await api.rest('GET', '/webhooks?limit=1000')).body.map((hook: { id: string }) => hook.id)).toContain(id);
    expect((await api.rest('DELETE', `/webhooks/${id}`)).status).toBe(204);
    expect(errorOf(await api.rest('GET', `/webhooks/${id}`))).toBe(1005);
    expect(await db().delivery.count({ where: { webhook_id: id } })).toBe(0);
  });
});

describe('a delivery', () => {
  it('is signed, in order for one transaction, and of the chosen types only', async () => {
    const all = await newHook();
    const some = await newHook({ event_types: ['charge.succeeded', 'CHARGE.REFUNDED'] });
    const token = await shop.newToken();
    const { id } = (await post('/charges', { ...shop.charge, capture: false, source_id: token, customer: shop.payer }))
      .body;
    await post(`/charges/${id}/capture`, {});
    await post(`/charges/${id}/refund`, { amount: 1000 });
    const expected = ['charge.created', 'charge.succeeded', 'charge.refunded'];
    const ofIt = (path: string) => receiver.at(path).filter(({ body }) => body.transaction?.id === id);
    await until(() => ofIt(all.path).length === 3 && ofIt(some.path).length === 2);
    expect(ofIt(all.path).map(({ body }) => body.type)).toEqual(expected);
    expect(ofIt(some.path).map(({ body }) => body.type)).toEqual(expected.slice(1));
    for (const one of ofIt(all.path)) expect(isSignedBy(one, all.secret)).toBe(true);
    const [created, succeeded] = ofIt(all.path);
    expect([created?.body.transaction.status, succeeded?.body.transaction.status]).toEqual([
      'in_progress',
      'completed',
    ]);
    expect(created?.body.event_date).toMatch(/-05:00$/);
    const { body: event } = await api.rest('GET', `/events/${created?.body.id}`);
    expect(event).toMatchObject({ type: 'charge.created', transaction: created?.body.transaction });
  });

  it('that fails is tried again by a workflow until it arrives; later ones are not held back', async () => {
    const { id, path } = await newHook({ event_types: ['charge.succeeded'] });
    let refuses = true;
    receiver.answers(request => (request.path === path && refuses ? 503 : 200));
    await pay();
    const failed = await untilAnswered(async () => {
      const [delivery] = await deliveries(id, '?status=retrying');
      if (!delivery) throw new Error('not yet');
      return delivery;
    }, 20);
    expect(failed).toMatchObject({
      event_type: 'charge.succeeded',
      attempts: [{ number: 1, status: 503, answer: 'thanks', duration: expect.any(Number) }],
      request: { url: receiver.url(path), body: expect.stringContaining('charge.succeeded') },
    });
    const workflow = billing.namespace.client().workflow.getHandle(`delivery-${failed.id}`);
    await untilAnswered(() => workflow.describe(), 20);
    refuses = false;
    await pay();
    await until(async () => (await deliveries(id, '?status=delivered')).length === 2);
    await db().delivery.update({ where: { id: failed.id }, data: { next_at: new Date() } });
    await workflow.signal('nudge');
    expect(await workflow.result()).toBe('delivered');
    await billing.record('a delivery tried again', `delivery-${failed.id}`);
    const [again] = (await deliveries(id, `?event_id=${failed.event_id}`)) as { attempts: { status: number }[] }[];
    expect(again?.attempts.map(({ status }) => status)).toEqual([503, 200]);
  });

  it('can be sent again, one or a range of them, and a test event on demand', async () => {
    const { id, path } = await newHook();
    const charge = await pay();
    await until(() => typesAt(path).includes('charge.succeeded'));
    const [first] = await deliveries(id);
    expect((await post(`/webhooks/${id}/deliveries/${first.id}/redeliver`, {})).body.event_id).toBe(first.event_id);
    await until(() => receiver.at(path).filter(({ body }) => body.id === first.event_id).length === 2);
    const day = new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 10);
    const { body } = await post(`/webhooks/${id}/redeliver`, { from: `${day}T00:00:00`, to: day });
    expect(body.count).toBe(
      await db().event.count({
        where: { merchant_id: api.merchants().own.id, type: { notIn: ['verification', 'test'] } },
      }),
    );
    await until(() => receiver.at(path).filter(({ body: sent }) => sent.transaction?.id === charge).length >= 3);
    expect((await post(`/webhooks/${id}/test`, {})).body.type).toBe('test');
    await until(() => typesAt(path).includes('test'));
    expect(errorOf(await post(`/webhooks/${id}/redeliver`, { from: '2027-01-02', to: '2027-01-01' }))).toBe(1003);
  });

  it('is signed by both secrets for a day after a rotation', async () => {
    const { id, secret, path } = await newHook();
    const { body } = await post(`/webhooks/${id}/rotate_secret`, {});
    await post(`/webhooks/${id}/test`, {});
    await until(() => typesAt(path).includes('test'));
    const got = receiver.at(path).at(-1);
    expect([got && isSignedBy(got, secret), got && isSignedBy(got, body.secret)]).toEqual([true, true]);
    await db().webhook.update({ where: { id }, data: { secret_old_until: new Date(0) } });
    await post(`/webhooks/${id}/test`, {});
    await until(() => typesAt(path).filter(type => type === 'test').length === 2);
    const later = receiver.at(path).at(-1);
    expect([later && isSignedBy(later, secret), later && isSignedBy(later, body.secret)]).toEqual([false, true]);
  });

  it('keeps the last two secrets, however many rotate at once', async () => {
    const { id, path } = await newHook();
    const rotated = await Promise.all(Array.from({ length: 6 }, () => post(`/webhooks/${id}/rotate_secret`, {})));
    await post(`/webhooks/${id}/test`, {});
    await until(() => typesAt(path).includes('test'));
    const got = receiver.at(path).at(-1);
    expect(rotated.filter(({ body }) => got && isSignedBy(got, body.secret))).toHaveLength(2);
  });

  it('has arrived with any 2xx, and with nothing else', async () => {
    const { id, path } = await newHook({ event_types: ['charge.succeeded'] });
    for (const [status, after] of [
      [204, 'delivered'],
      [299, 'delivered'],
      [302, 'retrying'],
      [400, 'retrying'],
    ] as const) {
      receiver.answers(request => (request.path === path ? status : 200));
      await pay();
      await until(async () => (await deliveries(id, '?limit=1'))[0]?.attempts[0]?.status === status);
      expect((await deliveries(id, '?limit=1'))[0].status).toBe(after);
    }
  });

  it('that was disabled gets what waited for it, once it is verified by its code again', async () => {
    const { id, path } = await newHook({ event_types: ['charge.succeeded'] });
    const code = receiver.at(path)[0]?.body.verification_code;
    await db().webhook.update({ where: { id }, data: { status: 'disabled' } });
    const [sent] = await deliveries(id);
    const waiting = await db().delivery.create({
      data: { id: newId('delivery'), webhook_id: id, event_id: sent.event_id },
    });
    await pay();
    expect((await post(`/webhooks/${id}/verify/${code}`, {})).status).toBe(204);
    await until(() => receiver.at(path).length === 2);
    // What happened meanwhile was not for it.
    expect(typesAt(path)).toEqual(['verification', 'verification']);
    expect((await deliveries(id, '?status=delivered')).map((one: { id: string }) => one.id)).toContain(waiting.id);
  });

  it('is given up with its webhook after three days: disabled, with an event and a letter', async () => {
    const witness = await newHook({ event_types: ['webhook.disabled'] });
    const { id, path } = await newHook();
    receiver.answers(request => (request.path === path ? 500 : 200));
    await pay();
    const [failed] = await untilAnswered(async () => {
      const some = await deliveries(id, '?status=retrying');
      if (some.length === 0) throw new Error('not yet');
      return some;
    }, 20);
    const workflow = billing.namespace.client().workflow.getHandle(`delivery-${failed.id}`);
    await untilAnswered(() => workflow.describe(), 20);
    await db().webhook.update({ where: { id }, data: { failing_since: new Date(Date.now() - 4 * 86_400_000) } });
    await db().delivery.update({ where: { id: failed.id }, data: { next_at: new Date() } });
    await workflow.signal('nudge');
    await until(async () => (await read(id)).status === 'disabled');
    await until(() => typesAt(witness.path).includes('webhook.disabled'));
    expect(receiver.at(witness.path).at(-1)?.body.webhook).toMatchObject({ id, status: 'disabled' });
    expect(await db().outbox.count({ where: { kind: 'webhook_mail', object_id: id } })).toBe(1);
    // From then on nothing goes there, neither by itself nor on demand.
    const before = receiver.at(path).length;
    await db().delivery.update({ where: { id: failed.id }, data: { next_at: new Date() } });
    await workflow.signal('nudge');
    expect(await workflow.result()).toBe('failed');
    expect(receiver.at(path)).toHaveLength(before);
    expect((await deliveries(id, '?status=failed')).map((one: { id: string }) => one.id)).toContain(failed.id);
    expect(errorOf(await post(`/webhooks/${id}/deliveries/${failed.id}/redeliver`, {}))).toBe(3006);
  });
});

describe('GraphQL', () => {
  it('does the same: creates, verifies, tests, rotates, sends again, lists and deletes', async () => {
    const ask = async (document: string, variables: object = {}) => {
      const { body } = await api.graphql(document, variables);
      expect(body.errors).toBeUndefined();
      return body.data;
    };
    receiver.answers(({ body }) => (body.type === 'verification' ? 500 : 200));
    const { createWebhook: hook } = await ask(
      'mutation ($webhook: CreateWebhook!) { createWebhook(webhook: $webhook) { id secret status } }',
      { webhook: { url: receiver.url('/graphql'), event_types: ['charge.succeeded'] } },
    );
    expect(hook).toMatchObject({ status: 'unverified', secret: expect.stringMatching(/^whsec_/) });
    await until(() => receiver.at('/graphql').length > 0);
    const id = { id: hook.id };
    const code = receiver.at('/graphql')[0]?.body.verification_code;
    await ask('mutation ($id: ID!, $code: ID!) { verifyWebhook(webhook_id: $id, verification_code: $code) }', {
      ...id,
      code,
    });
    expect(await ask('query ($id: ID!) { webhook(webhook_id: $id) { status secret } }', id)).toEqual({
      webhook: { status: 'verified', secret: null },
    });
    await ask('mutation ($id: ID!) { testWebhook(webhook_id: $id) { type } }', id);
    await until(() => typesAt('/graphql').includes('test'));
    const { rotateWebhookSecret } = await ask(
      'mutation ($id: ID!) { rotateWebhookSecret(webhook_id: $id) { secret } }',
      id,
    );
    await pay();
    await until(() => typesAt('/graphql').includes('charge.succeeded'));
    const paid = receiver.at('/graphql').at(-1);
    expect(paid && isSignedBy(paid, rotateWebhookSecret.secret)).toBe(true);
    const { deliveries: sent } = await ask(
      'query ($id: ID!) { deliveries(webhook_id: $id, limit: 1) { id event_type request { body } } }',
      id,
    );
    expect(sent).toEqual([{ id: expect.any(String), event_type: 'charge.succeeded', request: { body: paid?.text } }]);
    await ask('mutation ($id: ID!, $delivery: ID!) { redeliver(webhook_id: $id, delivery_id: $delivery) { id } }', {
      ...id,
      delivery: sent[0].id,
    });
    await until(() => receiver.at('/graphql').filter(({ body }) => body.id === paid?.body.id).length === 2);
    const range = { from: '2020-01-01', to: '2099-01-01' };
    const { redeliverRange } = await ask(
      'mutation ($id: ID!, $range: Redeliver!) { redeliverRange(webhook_id: $id, range: $range) { count } }',
      { ...id, range },
    );
    expect(redeliverRange.count).toBeGreaterThan(0);
    await ask('mutation ($id: ID!) { deleteWebhook(webhook_id: $id) }', id);
    const { webhooks } = await ask('{ webhooks(limit: 1000) { id } }');
    expect(webhooks).not.toContainEqual(id);
  });
});
