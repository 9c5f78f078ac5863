/** A merchant's server creates, lists and revokes sessions for pages in browsers. */

import { hashKey } from '../../../src/accounts/merchants/keys';
import { sweepActivities } from '../../../src/operations/background/sweep';
import { freezeClock } from '../../harness/flow/frozenClock';
import { eventually, until } from '../../harness/flow/until';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { bearer, PAGE, testSessions } from '../../harness/merchant/sessions';
import { suspension } from '../../harness/merchant/suspension';
import { type ApiResponse, basic, errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
const { create, newSession, queryGraphql } = testSessions(api);
const { suspend, resume } = suspension(api);
const db = () => api.database.db();
const refusal = (answer: ApiResponse) => [answer.status, errorOf(answer)];
const MERCHANT = '{ merchant { id } }';
const works = async (token: string) =>
  (await queryGraphql(token, MERCHANT)).body.data?.merchant.id === api.merchants().own.id;
const isRefused = (token: string) =>
  eventually(async () => expect(refusal(await queryGraphql(token, MERCHANT))).toEqual([401, 1002]));
const auditOf = (object_id: string) => db().auditEntry.findMany({ where: { object_id }, orderBy: { id: 'asc' } });
const idOfKey = async (key: string) =>
  (await db().apiKey.findUniqueOrThrow({ where: { hash: hashKey(key, api.secret) } })).id;

describe('createSession', () => {
  it('shows the token once; the session reads for an hour, and only the hash of its token is stored', async () => {
    const query = `mutation ($s: CreateSession!) { createSession(session: $s) {
      id token key_id customer_id scope origins creation_date last_used_at expires_at revoked_at } }`;
    const { body } = await api.graphql(query, { s: { origins: ['HTTPS://Panel.Tienda.example:443/', PAGE] } });
    const { token, ...session } = body.data.createSession;
    expect(token).toMatch(/^st_[0-9a-f]{32}$/);
    const key_id = await idOfKey(api.merchants().own.private_key);
    const unset = { customer_id: null, last_used_at: null, revoked_at: null };
    expect(session).toMatchObject({ key_id, scope: ['read'], origins: [PAGE], ...unset });
    expect(Date.parse(session.expires_at) - Date.parse(session.creation_date)).toBe(3_600_000);
    expect(await works(token)).toBe(true);
    const list = await api.rest('GET', '/sessions');
    expect(list.body[0].id).toBe(session.id);
    expect(list.text).not.toContain(token);
    const { hash } = await db().session.findUniqueOrThrow({ where: { id: session.id } });
    expect(Buffer.from(hash)).toEqual(Buffer.from(hashKey(token, api.secret)));
    expect(await auditOf(session.id)).toMatchObject([
      { action: 'session.created', actor: 'key', actor_id: key_id, after: { origins: [PAGE], scope: ['read'] } },
    ]);
  });

  it('repeated with the same Idempotency-Key, even after a crash, returns the same token and stores no plain token', async () => {
    const headers = { 'idempotency-key': 'session once' };
    const first = await create({}, { headers });
    expect([first.status, first.headers.get('resource-id')]).toEqual([201, first.body.id]);
    expect((await create({}, { headers })).text).toBe(first.text);
    const where = { key: 'session once' };
    const kept = await db().idempotentReply.findFirstOrThrow({ where });
    expect(kept.body).not.toContain(first.body.token);
    await db().idempotentReply.updateMany({ where, data: { status: null, body: null, lease_until: new Date(0) } });
    expect((await create({}, { headers })).body).toMatchObject({ id: first.body.id, token: first.body.token });
    expect(await auditOf(first.body.id)).toHaveLength(1);
  });

  it('called fifty times at once, creates fifty working sessions', async () => {
    const made: { token: string }[] = [];
    const makeOne = () =>
      // Retries, as clients do when the server is busy.
      eventually(async () => {
        const { status, body } = await create({ minutes: 5 });
        expect(status).toBe(201);
        made.push(body);
      });
    await Promise.all(Array.from({ length: 50 }, makeOne));
    expect(new Set(made.map(({ token }) => token)).size).toBe(50);
    expect(await Promise.all(made.map(({ token }) => works(token)))).toEqual(Array(50).fill(true));
  });

  it.each<[string, object, number]>([
    ['no origins', { origins: undefined }, 1001],
    ['an empty list of origins', { origins: [] }, 1003],
    ['a wildcard origin', { origins: ['*'] }, 1003],
    ['an origin with a path', { origins: [`${PAGE}/panel`] }, 1003],
    ['an origin with a user', { origins: ['https://me@tienda.example'] }, 1003],
    ['the origin null', { origins: ['null'] }, 1003],
    ['an origin of another scheme', { origins: ['ftp://tienda.example'] }, 1003],
    ['too many origins', { origins: Array.from({ length: 21 }, (_, i) => `https://s${i}.example`) }, 1003],
    ['zero minutes', { minutes: 0 }, 1003],
    ['more than a day', { minutes: 1441 }, 1003],
    ['an unknown scope', { scope: ['write'] }, 1003],
    ['the scope of a mutation that creates keys', { scope: ['createKey'] }, 1003],
    ['the scope of a mutation of operators', { scope: ['suspendMerchant'] }, 1003],
    ['an unknown customer', { customer_id: 'a0000000000000000000' }, 1005],
  ])('refuses %s', async (_, session, code) => {
    const before = await db().session.count({ where: api.ownRows() });
    expect(errorOf(await create(session))).toBe(code);
    expect(await db().session.count({ where: api.ownRows() })).toBe(before);
  });

  it('refuses mutations outside the customer of the session', async () => {
    const customer_id = await shop.newCustomer();
    expect(errorOf(await create({ customer_id, scope: ['createPlan'] }))).toBe(1003);
    expect((await create({ customer_id, scope: ['CreateCard', 'READ'] })).body.scope).toEqual(['createCard']);
  });

  it('fails with 1010 for public and read-only keys and for sessions', async () => {
    const { key } = (await api.rest('POST', '/keys', { body: { kind: 'private', read_only: true } })).body;
    for (const other of [api.merchants().own.public_key, key])
      await eventually(async () => expect(refusal(await create({}, { key: other }))).toEqual([403, 1010]));
    const { token } = await newSession({ scope: ['all'] });
    const mutation = `mutation { createSession(session: { origins: ["${PAGE}"] }) { token } }`;
    expect(refusal(await queryGraphql(token, mutation))).toEqual([403, 1010]);
  });

  it('accepts origins without TLS only in the sandbox', async () => {
    const origins = ['http://localhost:8080'];
    expect((await create({ origins })).status).toBe(201);
    const { id, private_key: key } = api.merchants().production;
    const url = `${await api.startProduction()}/v1/${id}/sessions`;
    expect(errorOf(await sendRequest(url, 'POST', { key, body: { origins } }))).toBe(1003);
    expect((await sendRequest(url, 'POST', { key, body: { origins: [PAGE] } })).status).toBe(201);
  });
});

describe('a session ends', () => {
  it('when it is revoked, in every process, and is listed as revoked', async () => {
    const another = await api.startAnother();
    const { id, token } = await newSession();
    const elsewhere = () =>
      sendRequest(`${another}/graphql`, 'POST', { headers: bearer(token), body: { query: MERCHANT } });
    expect([await works(token), (await elsewhere()).status]).toEqual([true, 200]);
    const { body } = await api.graphql('mutation ($id: ID!) { revokeSession(session_id: $id) { id revoked_at } }', {
      id,
    });
    expect(body.data.revokeSession).toEqual({ id, revoked_at: expect.any(String) });
    await isRefused(token);
    await until(async () => (await elsewhere()).status === 401);
    expect((await api.rest('DELETE', `/sessions/${id}`)).status).toBe(204);
    expect((await api.rest('GET', `/sessions/${id}`)).body.revoked_at).toBe(body.data.revokeSession.revoked_at);
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['session.created', 'session.revoked']);
  });

  it('when it expires', async () => {
    const { token } = await newSession({ minutes: 1 });
    const moveClock = freezeClock();
    expect(await works(token)).toBe(true);
    moveClock(60_000);
    const expired = await queryGraphql(token, MERCHANT);
    expect(refusal(expired)).toEqual([401, 1002]);
    expect(expired.body.errors[0].extensions.problem).toBe('session_ended');
  });

  it('with the key that created it, and never has more rights than this key has now', async () => {
    const { id, key } = (await api.rest('POST', '/keys', { body: { kind: 'private' } })).body;
    await until(async () => (await api.rest('GET', '', { key })).status === 200);
    const { token } = (await create({ scope: ['createPlan', 'createCustomer'] }, { key })).body;
    const mutation = 'mutation { createCustomer(customer: { name: "Ana", email: "ana@example.com" }) { id } }';
    expect((await queryGraphql(token, mutation)).body.data.createCustomer.id).toEqual(expect.any(String));
    await api.rest('PUT', `/keys/${id}`, { body: { read_only: true } });
    await eventually(async () => expect(refusal(await queryGraphql(token, mutation))).toEqual([403, 1010]));
    expect(await works(token)).toBe(true);
    await api.rest('DELETE', `/keys/${id}`);
    await isRefused(token);
  });

  it('with its customer', async () => {
    const customer_id = await shop.newCustomer();
    const { id, token } = await newSession({ customer_id });
    const query = '{ charges { nodes { id } } }';
    expect((await queryGraphql(token, query)).body.data.charges.nodes).toEqual([]);
    await api.rest('DELETE', `/customers/${customer_id}`);
    await eventually(async () => expect(refusal(await queryGraphql(token, query))).toEqual([401, 1002]));
    expect((await auditOf(id)).at(-1)).toMatchObject({ action: 'session.revoked' });
    expect(errorOf(await create({ customer_id }))).toBe(1005);
  });

  it('but not when its merchant is suspended: it still reads, but cannot move money', async () => {
    const { token } = await newSession({ scope: ['createCharge'] });
    await suspend();
    await eventually(async () =>
      expect(errorOf(await queryGraphql(token, 'mutation { createCharge { id } }'))).toBe(1008),
    );
    expect(await works(token)).toBe(true);
    await resume();
  });
});

it('a session of another merchant or environment is not found', async () => {
  const { id, token } = await newSession();
  const { other, production } = api.merchants();
  for (const method of ['GET', 'DELETE']) {
    const url = `${api.origin()}/v1/${other.id}/sessions/${id}`;
    expect(refusal(await sendRequest(url, method, { key: other.private_key }))).toEqual([404, 1005]);
  }
  expect(await works(token)).toBe(true);
  const url = `${await api.startProduction()}/graphql`;
  const elsewhere = await sendRequest(url, 'POST', { headers: bearer(token), body: { query: MERCHANT } });
  expect([elsewhere.status, production.id]).toEqual([401, expect.any(String)]);
});

it('Idempotency-Keys of a session are separate from those of other sessions and of the private key', async () => {
  const body = {
    query: 'mutation ($c: CreateCustomer!) { createCustomer(customer: $c) { id } }',
    variables: { c: shop.payer },
  };
  const send = (headers: object) =>
    sendRequest(`${api.origin()}/graphql`, 'POST', { body, headers: { 'idempotency-key': 'shared', ...headers } });
  const sessions = [await newSession({ scope: ['all'] }), await newSession({ scope: ['createCustomer'] })];
  const { private_key } = api.merchants().own;
  const callers = [...sessions.map(({ token }) => bearer(token)), { authorization: basic(private_key) }];
  const ids = [];
  for (const caller of callers) ids.push((await send(caller)).body.data.createCustomer.id);
  expect(new Set(ids).size).toBe(3);
  for (const [i, caller] of callers.entries()) expect((await send(caller)).body.data.createCustomer.id).toBe(ids[i]);
});

it('a session shows its last use, and the audit log names it as actor', async () => {
  const { id, token } = await newSession({ scope: ['deleteCustomer'] });
  const customer_id = await shop.newCustomer();
  await queryGraphql(token, 'mutation ($id: ID!) { deleteCustomer(customer_id: $id) { id } }', { id: customer_id });
  expect(await auditOf(customer_id)).toMatchObject([{ action: 'customer.deleted', actor: 'session', actor_id: id }]);
  await eventually(async () =>
    expect(Date.parse((await api.rest('GET', `/sessions/${id}`)).body.last_used_at)).toBeGreaterThan(0),
  );
});

it('a session is swept a day after its end, together with the record of its use', async () => {
  const [old, recent] = [await newSession(), await newSession()];
  await until(async () => (await works(old.token)) && (await db().keyUse.count({ where: { key_id: old.id } })) === 1);
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  await db().session.update({ where: { id: old.id }, data: { expires_at: daysAgo(1.1) } });
  await db().session.update({ where: { id: recent.id }, data: { expires_at: daysAgo(0.9) } });
  const sweep = () => sweepActivities(db(), api.temporal()).sweepExpired();
  await sweep();
  await sweep();
  expect(await db().keyUse.count({ where: { key_id: old.id } })).toBe(0);
  const statuses = [old, recent].map(async ({ id }) => (await api.rest('GET', `/sessions/${id}`)).status);
  expect(await Promise.all(statuses)).toEqual([404, 200]);
});
