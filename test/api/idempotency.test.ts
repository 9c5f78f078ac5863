import { runOnce } from '../../src/api/idempotency';
import { retryUntilAnswered } from '../../src/local/processes/managedProcess';
import type { Database } from '../../src/platform/database/connection';
import { eventually, until } from '../harness/flow/until';
import { payer as maria } from '../harness/merchant/merchantCalls';
import { basic, errorOf, sendRequest, testApi } from '../harness/servers/api';
import { PATIENCE } from '../harness/servers/database';
import { sendRaw } from '../harness/servers/rawHttp';

const api = testApi();
const post = (key: string, body: unknown = maria, headers: object = {}) =>
  api.rest('POST', '/customers', { body, headers: { 'idempotency-key': key, ...headers } });
const countCustomers = () => api.database.db().customer.count({ where: api.ownRows() });

describe('Idempotency-Key', () => {
  it('replays the first response to a repeated request byte for byte, without executing it again', async () => {
    const first = await post('once');
    const before = await countCustomers();
    const again = await post('once');
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    for (const name of ['location', 'resource-id', 'content-type'])
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    expect(await countCustomers()).toBe(before);
  });

  it('replays error responses', async () => {
    const first = await post('refused', { name: 'x' });
    const again = await post('refused', { name: 'x' });
    expect([again.status, again.text]).toEqual([400, first.text]);
  });

  it('fails with 1003 for a different body under the same key', async () => {
    await post('changed');
    const answer = await post('changed', { ...maria, name: 'Ana' });
    expect([answer.status, errorOf(answer)]).toEqual([422, 1003]);
  });

  it('fails with 1001 for a key of 256 characters', async () => {
    expect(errorOf(await post('x'.repeat(256)))).toBe(1001);
    expect((await post('x'.repeat(255))).status).toBe(201);
  });

  it('is separate for each merchant', async () => {
    const { id, private_key: key } = api.merchants().other;
    await post('mine');
    const other = await sendRequest(`${api.origin()}/v1/${id}/customers`, 'POST', {
      key,
      body: maria,
      headers: { 'idempotency-key': 'mine' },
    });
    expect(other.headers.get('idempotent-replayed')).toBeNull();
  });

  it('never replays a response to the public key, and is not used up by a public key', async () => {
    const { public_key } = api.merchants().own;
    const asPublic = (body: unknown) =>
      api.rest('POST', '/customers', { body, key: public_key, headers: { 'idempotency-key': 'guarded' } });
    expect(errorOf(await asPublic({ name: 'other' }))).toBe(1010);
    expect((await post('guarded')).status).toBe(201);
    expect(errorOf(await asPublic(maria))).toBe(1010);
    const query = 'mutation { createCustomer(customer: { name: "M", email: "m@example.com" }) { id } }';
    const send = (key: string) =>
      api.graphql('', {}, { body: { query }, key, headers: { 'idempotency-key': 'guarded-graphql' } });
    expect((await send(api.merchants().own.private_key)).status).toBe(200);
    expect(errorOf(await send(public_key))).toBe(1010);
  });

  it('identifies a resource independently of the encoding of its path', async () => {
    const postTo = (path: string) => api.rest('POST', path, { body: maria, headers: { 'idempotency-key': 'spelled' } });
    const first = await postTo('/customers');
    for (const path of ['/customers/', '/custom%65rs', '/customers?x=1'])
      expect((await postTo(path)).text).toBe(first.text);
  });

  it('fails with 1001 for an empty key and for two keys', async () => {
    expect(errorOf(await post(''))).toBe(1001);
    const { id, private_key } = api.merchants().own;
    const body = JSON.stringify(maria);
    const lines = [
      `POST /v1/${id}/customers HTTP/1.1`,
      'Host: x',
      `Authorization: ${basic(private_key)}`,
      `Content-Length: ${body.length + 1}`,
    ];
    const head = [...lines, 'Idempotency-Key: a', 'Idempotency-Key: b', '', body].join('\r\n');
    expect((await sendRaw(api.origin(), head)).body.error_code).toBe(1001);
  });

  it('does not store 1002 and 1010', async () => {
    expect((await post('keys', maria, { origin: 'https://shop.example' })).status).toBe(403);
    expect((await post('keys')).status).toBe(201);
  });

  it('executes one of fifty equal concurrent requests, and sends all fifty the same response', async () => {
    const before = await countCustomers();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => post('fifty', { ...maria, external_id: 'fifty' })),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed'))).toHaveLength(49);
    expect(await countCustomers()).toBe(before + 1);
  });

  it('fails with 1004 for a repeat when the first request takes too long', async () => {
    const request = {
      merchant_id: api.merchants().own.id,
      method: 'POST',
      path: '/slow',
      key: 'slow',
      body_hash: new Uint8Array(),
    };
    const answer = { status: 200, headers: {}, body: '{}', final: true };
    let finish = (): void => undefined;
    const first = runOnce(api.database.db(), request, () => new Promise(resolve => (finish = () => resolve(answer))));
    await eventually(async () => {
      if ((await api.database.db().idempotentReply.count({ where: { key: 'slow' } })) === 0)
        throw new Error('not claimed yet');
    });
    const second = runOnce(api.database.db(), request, () => Promise.reject(new Error('done twice')), {
      maxWaitMs: 300,
    });
    await expect(second).rejects.toMatchObject({ error_code: 1004, http_code: 503 });
    finish();
    expect((await first).replayed).toBe(false);
    expect((await runOnce(api.database.db(), request, () => Promise.reject(new Error('done twice')))).replayed).toBe(
      true,
    );
  });

  it('keeps its lease while the first request is running, however long that takes', async () => {
    const db = api.database.db();
    const { id: merchant_id } = api.merchants().own;
    const request = { merchant_id, method: 'POST', path: '/long', key: 'long', body_hash: Buffer.from('x') };
    const leaseUntil = async () =>
      Number((await db.idempotentReply.findFirst({ where: { key: 'long' } }))?.lease_until);
    const answer = { status: 200, headers: {}, body: '{}', final: true };
    let finish = (): void => undefined;
    const first = runOnce(db, request, () => new Promise(resolve => (finish = () => resolve(answer))));
    await until(async () => (await leaseUntil()) > 0);
    const begun = await leaseUntil();
    const both = Promise.allSettled([first, runOnce(db, request, () => Promise.reject(new Error('done twice')))]);
    // Either process may extend the lease: the process that executes, or the process of the repeat that takes over.
    await until(async () => (await leaseUntil()) > begun);
    finish();
    expect(await both).toMatchObject([{ value: { replayed: false } }, { value: { replayed: true } }]);
  });

  it('returns the response that another process stored in the meantime, and does not change it', async () => {
    const db = api.database.db();
    const { id: merchant_id } = api.merchants().own;
    const request = { merchant_id, method: 'POST', path: '/late', key: 'late', body_hash: Buffer.from('x') };
    const stored = { status: 200, headers: {}, body: '{"first":true}' };
    const late = runOnce(db, request, async () => {
      await db.idempotentReply.updateMany({ where: { merchant_id, key: 'late' }, data: stored });
      return { status: 503, headers: {}, body: '{}', final: false };
    });
    expect(await late).toEqual({ ...stored, replayed: true });
    const again = await runOnce(db, request, () => Promise.reject(new Error('done twice')));
    expect(again).toEqual({ ...stored, replayed: true });
  });

  it('finds a response that another request stores between its check and its claim', async () => {
    const db = api.database.db();
    const { id: merchant_id } = api.merchants().own;
    const request = { merchant_id, method: 'POST', path: '/x', key: 'between', body_hash: Buffer.from('x') };
    const stored = { status: 200, headers: {}, body: '{}', seed: Buffer.alloc(16), lease_until: new Date() };
    const isWaiting = async () => {
      const [{ waiting }] = await db.$queryRaw<[{ waiting: bigint }]>`
        select count(*) as waiting from pg_locks where not granted and locktype = 'transactionid'`;
      if (waiting === 0n) throw new Error('not waiting yet');
    };
    const second = await db.$transaction(async tx => {
      await tx.idempotentReply.create({ data: { ...request, ...stored } });
      const running = runOnce(db, request, () => Promise.reject(new Error('done twice')));
      await retryUntilAnswered(isWaiting);
      return { running };
    }, PATIENCE);
    expect(await second.running).toEqual({ status: 200, headers: {}, body: '{}', replayed: true });
  });

  it('fails with 1004 when the key can be neither claimed nor read', async () => {
    const request = { merchant_id: 'm', method: 'POST', path: '/x', key: 'k', body_hash: Buffer.from('x') };
    const emptyDatabase = { $queryRaw: async () => [] } as unknown as Database;
    const waiting = runOnce(emptyDatabase, request, () => Promise.reject(new Error('never begun')), { maxWaitMs: 200 });
    await expect(waiting).rejects.toMatchObject({ error_code: 1004 });
  });

  it('does not store 1000 and 1004: the repeat is executed again', async () => {
    await api.database.db().$executeRaw`alter table customers rename to hidden`;
    expect((await post('broken')).status).toBe(500);
    await api.database.db().$executeRaw`alter table hidden rename to customers`;
    const repaired = await post('broken');
    expect([repaired.status, repaired.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });

  it('works in GraphQL for a document with exactly one mutation field', async () => {
    const single = 'mutation { createCustomer(customer: { name: "María", email: "maria@example.com" }) { id } }';
    const double =
      'mutation { a: createCustomer(customer: { name: "María", email: "m@example.com" }) { id } b: createCustomer(customer: { name: "M", email: "m@example.com" }) { id } }';
    const send = (query: string, key: string) =>
      api.graphql('', {}, { body: { query }, headers: { 'idempotency-key': key } });
    const [first, again] = [await send(single, 'graphql-1'), await send(single, 'graphql-1')];
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(errorOf(await send(double, 'graphql-2'))).toBe(1001);
    const spread = `mutation { __typename ...f } fragment f on Mutation { ${single.slice(11, -2)} }`;
    expect((await send(spread, 'graphql-3')).text).toBe((await send(spread, 'graphql-3')).text);
  });
});
