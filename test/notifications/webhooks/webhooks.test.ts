/** Webhooks as merchants use them, with a real worker that delivers. */
import { newId } from '../../../src/platform/identifiers';
import { until } from '../../harness/flow/until';
import { errorOf, sendRequest } from '../../harness/servers/api';
import { isSignedBy } from '../../harness/webhooks/endpoint';
import { testWebhooks } from '../../harness/webhooks/webhooks';

const { api, post, receiver, db, read, newHook, typesAt, pay } = testWebhooks();

describe('POST /webhooks', () => {
  it('responds 201 with the secret, which is shown only once, and verifies the webhook with an event', async () => {
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

  it('returns the same response to a repeat with the same Idempotency-Key, without storing the plain secret', async () => {
    const create = () =>
      api.rest('POST', '/webhooks', {
        body: { url: receiver.url('/repeated') },
        headers: { 'idempotency-key': 'one hook' },
      });
    const [first, replay] = [await create(), await create()];
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect(replay.body).toEqual(first.body);
    const rotate = () =>
      api.rest('POST', `/webhooks/${first.body.id}/rotate_secret`, { body: {}, headers: { 'idempotency-key': 'r' } });
    const rotated = await rotate();
    expect((await rotate()).body).toEqual(rotated.body);
    const storedReplies = await db().idempotentReply.findMany({ where: api.ownRows() });
    expect(storedReplies.filter(({ path }) => path.includes('/webhooks'))).toHaveLength(2);
    expect(JSON.stringify(storedReplies)).not.toMatch(/whsec_/);
  });

  it('a failing webhook can be verified with its code, and receives nothing else before', async () => {
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
    ['1003 for an unknown event type', { event_types: ['charge.exploded'] }, 1003],
    ['1003 for a user with a line break', { user: 'me\r\nX-Evil: 1' }, 1003],
    ['1003 for a user with a colon', { user: 'me:you' }, 1003],
  ])('fails with %s', async (_, fields, code) => {
    const countBefore = await db().webhook.count({ where: api.ownRows() });
    expect(errorOf(await post('/webhooks', { url: receiver.url(), ...fields }))).toBe(code);
    expect(await db().webhook.count({ where: api.ownRows() })).toBe(countBefore);
  });

  it('fails with 3006 for the fifty-first webhook of a merchant', async () => {
    const { other } = api.merchants();
    const row = { merchant_id: other.id, creation_date: new Date(), url: receiver.url(), verification_code: 'x' };
    const sealed = { secret_sealed: Buffer.from('x') };
    await db().webhook.createMany({
      data: Array.from({ length: 49 }, () => ({ ...row, ...sealed, id: newId('webhook'), status: 'disabled' })),
    });
    const create = () =>
      sendRequest(`${api.origin()}/v1/${other.id}/webhooks`, 'POST', {
        key: other.private_key,
        body: { url: receiver.url() },
      });
    const last = await create();
    expect(last.status).toBe(201);
    expect(errorOf(await create())).toBe(3006);
    // A deletion and the worker that records the verification could deadlock.
    await until(async () => (await db().webhook.findUnique({ where: { id: last.body.id } }))?.status === 'verified');
    // Concurrent requests. A busy database may have refused some of the earlier ones.
    await db().webhook.deleteMany({ where: { merchant_id: other.id } });
    await db().webhook.createMany({
      data: Array.from({ length: 45 }, () => ({ ...row, ...sealed, id: newId('webhook'), status: 'disabled' })),
    });
    const createUntilDecided = async () => {
      for (;;) {
        const answer = await create();
        if (answer.status < 500) return answer.status;
      }
    };
    const statuses = await Promise.all(Array.from({ length: 60 }, createUntilDecided));
    expect(statuses.filter(status => status === 201)).toHaveLength(5);
    expect(await db().webhook.count({ where: { merchant_id: other.id } })).toBe(50);
  });

  it('in production rejects plain http and internal addresses', async () => {
    const { id, private_key } = api.merchants().production;
    const production = await api.startProduction();
    const create = async (url: string) => {
      const authorization = `Basic ${Buffer.from(`${private_key}:`).toString('base64')}`;
      const body = JSON.stringify({ url });
      return (
        await fetch(`${production}/v1/${id}/webhooks`, {
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

  it('a webhook is listed, and its deletion deletes its deliveries', async () => {
    const { id } = await newHook();
    expect((await api.rest('GET', '/webhooks?limit=1000')).body.map((hook: { id: string }) => hook.id)).toContain(id);
    expect((await api.rest('DELETE', `/webhooks/${id}`)).status).toBe(204);
    expect(errorOf(await api.rest('GET', `/webhooks/${id}`))).toBe(1005);
    expect(await db().delivery.count({ where: { webhook_id: id } })).toBe(0);
  });
});

describe('GraphQL', () => {
  it('creates, verifies, tests, rotates, redelivers, lists and deletes webhooks like REST', async () => {
    const send = async (document: string, variables: object = {}) => {
      const { body } = await api.graphql(document, variables);
      expect(body.errors).toBeUndefined();
      return body.data;
    };
    receiver.answers(({ body }) => (body.type === 'verification' ? 500 : 200));
    const { createWebhook: hook } = await send(
      'mutation ($webhook: CreateWebhook!) { createWebhook(webhook: $webhook) { id secret status } }',
      { webhook: { url: receiver.url('/graphql'), event_types: ['charge_succeeded'] } },
    );
    const refused = await api.graphql(
      'mutation ($webhook: CreateWebhook!) { createWebhook(webhook: $webhook) { id } }',
      { webhook: { url: receiver.url('/graphql'), event_types: ['test'] } },
    );
    expect(refused.body.errors[0].extensions).toMatchObject({ error_code: 1003, field: 'event_types' });
    expect(hook).toMatchObject({ status: 'unverified', secret: expect.stringMatching(/^whsec_/) });
    await until(() => receiver.at('/graphql').length > 0);
    const id = { id: hook.id };
    const code = receiver.at('/graphql')[0]?.body.verification_code;
    await send('mutation ($id: ID!, $code: ID!) { verifyWebhook(webhook_id: $id, verification_code: $code) }', {
      ...id,
      code,
    });
    expect(await send('query ($id: ID!) { webhook(webhook_id: $id) { status secret } }', id)).toEqual({
      webhook: { status: 'verified', secret: null },
    });
    await send('mutation ($id: ID!) { testWebhook(webhook_id: $id) { type } }', id);
    await until(() => typesAt('/graphql').includes('test'));
    const { rotateWebhookSecret } = await send(
      'mutation ($id: ID!) { rotateWebhookSecret(webhook_id: $id) { secret } }',
      id,
    );
    await pay();
    await until(() => typesAt('/graphql').includes('charge.succeeded'));
    const paid = receiver.at('/graphql').find(({ body }) => body.type === 'charge.succeeded');
    expect(paid && isSignedBy(paid, rotateWebhookSecret.secret)).toBe(true);
    const { deliveries } = await send(
      'query ($id: ID!) { deliveries(webhook_id: $id, limit: 1) { nodes { id event_type request { body } } } }',
      id,
    );
    const sent = deliveries.nodes;
    expect(sent).toEqual([{ id: expect.any(String), event_type: 'charge_succeeded', request: { body: paid?.text } }]);
    await send('mutation ($id: ID!, $delivery: ID!) { redeliver(webhook_id: $id, delivery_id: $delivery) { id } }', {
      ...id,
      delivery: sent[0].id,
    });
    await until(() => receiver.at('/graphql').filter(({ body }) => body.id === paid?.body.id).length === 2);
    const range = { from: '2020-01-01', to: '2099-01-01' };
    const { redeliverRange } = await send(
      'mutation ($id: ID!, $range: Redeliver!) { redeliverRange(webhook_id: $id, range: $range) { count } }',
      { ...id, range },
    );
    expect(redeliverRange.count).toBeGreaterThan(0);
    await send('mutation ($id: ID!) { deleteWebhook(webhook_id: $id) { id } }', id);
    const { webhooks } = await send('{ webhooks(limit: 1000) { nodes { id } } }');
    expect(webhooks.nodes).not.toContainEqual(id);
  });
});
