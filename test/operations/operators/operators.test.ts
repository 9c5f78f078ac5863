/** Sign-in of operators and their keys. The rights of each role: test/schema/permissions.test.ts. */
import { Client } from 'pg';
import { newKey } from '../../../src/accounts/merchants/keys';
import { createOperatorKey, revokeOperatorKey } from '../../../src/operations/operators/keys';
import { newId } from '../../../src/platform/identifiers';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { until } from '../../harness/flow/until';
import { testOperators } from '../../harness/merchant/operators';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const { keys, operate, runAs, lastEntry } = testOperators(api);
const db = () => api.database.db();

describe('operations for operators', () => {
  it('do not exist over REST, which responds 1002', async () => {
    expect(errorOf(await api.rest('GET', '', { key: keys.admin.key }))).toBe(1002);
  });

  it('work in both environments', async () => {
    const origin = await api.startProduction();
    for (const { id } of Object.values(api.merchants())) {
      const body = { query: `{ merchantAccounts(find: "${id}") { nodes { id } } }` };
      const answer = await sendRequest(`${origin}/operator/graphql`, 'POST', { key: keys.read.key, body });
      expect(answer.body.data.merchantAccounts.nodes).toEqual([{ id }]);
    }
  });
});

describe('the session of the operator page', () => {
  const send = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
    const answer = await sendRequest(`${api.origin()}${path}`, method, { headers, body });
    return [answer.status, errorOf(answer), answer.headers.get('set-cookie')];
  };
  const ownPage = () => ({ origin: api.origin(), 'sec-fetch-site': 'same-origin' });

  it('rejects every other cookie before it reads the body', async () => {
    const { private_key } = api.merchants().own;
    const signedIn = await sendRequest(`${api.origin()}/session`, 'POST', {
      headers: ownPage(),
      body: { private_key },
    });
    expect(signedIn.status).toBe(201);
    const query = jest.spyOn(Client.prototype, 'query');
    atTheEnd(() => query.mockRestore());
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const forged = `operator=${keys.admin.id}.${Date.now() + 60_000}.${'0'.repeat(16)}.${'0'.repeat(64)}`;
    const read = (headers: Record<string, string>) => {
      const body = JSON.stringify({ query: '{ operations { now } }' });
      return send('POST', '/operator/graphql', { authorization: 'Session operator', ...headers }, body);
    };
    for (const headers of [{}, { cookie }, { cookie: forged }]) expect(await read(headers)).toEqual([401, 1002, null]);
    expect(await read({ cookie: forged, 'sec-fetch-site': 'cross-site' })).toEqual([403, 1010, null]);
    expect(JSON.stringify(query.mock.calls)).not.toMatch(/worker|audit|outbox|operator_key/);
  });

  it('ends when its user signs out, also for a copy of the cookie', async () => {
    const signIn = async () => {
      const [status, , cookie] = await send('POST', '/operator/session', ownPage(), JSON.stringify({ operator_key }));
      expect(status).toBe(204);
      return { ...ownPage(), cookie: String(cookie).split(';')[0] ?? '' };
    };
    const operator_key = keys.read.key;
    const body = JSON.stringify({ query: '{ operations { now } }' });
    const read = (headers: Record<string, string>) =>
      send('POST', '/operator/graphql', { authorization: 'Session operator', ...headers }, body);
    const [copied, other] = [await signIn(), await signIn()];
    expect(await read(copied)).toEqual([200, undefined, null]);
    for (const _ of [1, 2])
      expect(await send('DELETE', '/operator/session', copied)).toEqual([
        204,
        undefined,
        expect.stringMatching(/^operator=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict$/),
      ]);
    expect(await read(copied)).toEqual([401, 1002, null]);
    const headers = { authorization: 'Session operator', ...copied };
    expect((await sendRequest(`${api.origin()}/operator/graphql`, 'POST', { headers, body })).text).toContain(
      'session_ended',
    );
    expect(await read(other)).toEqual([200, undefined, null]);
    expect(await send('DELETE', '/operator/session', { ...other, 'sec-fetch-site': 'cross-site' })).toEqual([
      403,
      1010,
      null,
    ]);
  });

  it('signs in no merchant, and refuses pages of other sites before it reads the body', async () => {
    const { private_key, public_key } = api.merchants().own;
    for (const operator_key of [private_key, public_key])
      expect(await send('POST', '/operator/session', ownPage(), JSON.stringify({ operator_key }))).toEqual([
        403,
        1010,
        null,
      ]);
    for (const headers of [{}, { origin: 'https://evil.example' }, { ...ownPage(), 'sec-fetch-site': 'cross-site' }])
      expect(await send('POST', '/operator/session', headers, '{')).toEqual([403, 1010, null]);
    expect(await send('POST', '/operator/session', ownPage(), '{')).toEqual([400, 1001, null]);
  });
});

describe('keys of operators', () => {
  const create = (role: string, name = 'Ana', headers = {}) =>
    operate(
      'admin',
      `mutation { createOperatorKey(name: "${name}", role: ${role}) { id role masked key } }`,
      {},
      headers,
    );
  const revoke = (id: string) => operate('admin', `mutation { revokeOperatorKey(id: "${id}") { id masked } }`);

  it('are shown once, listed masked, and take effect and end at once', async () => {
    const made = await create('read');
    expect(made.key).toMatch(/^ok_[0-9a-f]{32}$/);
    const listed = await operate('admin', '{ operatorKeys { id role name masked key } }');
    expect(listed).toContainEqual({
      id: made.id,
      role: 'read',
      name: 'Ana',
      masked: `ok_…${made.key.slice(-4)}`,
      key: null,
    });
    expect(JSON.stringify(listed)).not.toContain(made.key);
    expect(await lastEntry()).toMatchObject({ action: 'operator_key.created', object_id: made.id, merchant_id: null });
    const works = async () => (await runAs(made.key, '{ merchantAccounts { nodes { id } } }')).status !== 401;
    expect(await works()).toBe(true);
    expect(await revoke(made.id)).toMatchObject({ id: made.id });
    await until(async () => !(await works()));
    expect(errorOf(await revoke(made.id))).toBe(1005);
    expect(await lastEntry()).toMatchObject({ action: 'operator_key.revoked', object_id: made.id });
  });

  it('are returned again to a repeat with the same Idempotency-Key, although the database stores only a hash', async () => {
    const headers = { 'idempotency-key': 'operator-1' };
    const made = await create('support', 'Luz', headers);
    expect(await create('support', 'Luz', headers)).toEqual(made);
    // The state after a crash before the response was stored: the repeat finds the key that it created.
    await db().idempotentReply.updateMany({
      where: { key: 'operator-1' },
      data: { status: null, body: null, lease_until: new Date(0) },
    });
    expect(await create('support', 'Luz', headers)).toEqual(made);
    expect(await db().operatorKey.count({ where: { name: 'Luz' } })).toBe(1);
    expect(await db().auditEntry.count({ where: { object_id: made.id } })).toBe(1);
    const { body, path } = await db().idempotentReply.findFirstOrThrow({ where: { key: 'operator-1' } });
    expect(body).not.toContain(made.key);
    expect(path).toBe(`operator ${keys.admin.id} /operator/graphql`);
  });

  it('cannot be revoked if it is the last administrator key (3006), even when all are revoked concurrently', async () => {
    const by = { actor: { kind: 'operator', id: 'test' } } as const;
    const admins = () => db().operatorKey.findMany({ where: { role: 'admin' } });
    const newOne = () => ({ id: newId('key'), key: newKey('operator'), secret: api.secret });
    for (let round = 0; round < 5; round++) {
      const made = Array.from({ length: 10 }, (_, i) =>
        createOperatorKey(db(), by, { name: `${i}`, role: 'admin' }, newOne()),
      );
      await Promise.all(made);
      const all = await admins();
      const ends = await Promise.allSettled(all.map(({ id }) => revokeOperatorKey(db(), by, id)));
      const refused = ends.flatMap(end => (end.status === 'rejected' ? [end.reason.error_code] : []));
      expect([refused, (await admins()).length]).toEqual([[3006], 1]);
    }
    await createOperatorKey(db(), by, { name: 'admin', role: 'admin' }, { ...keys.admin, secret: api.secret });
    const [other] = (await admins()).filter(({ id }) => id !== keys.admin.id);
    if (other) await revokeOperatorKey(db(), by, other.id);
    expect(errorOf(await revoke(keys.admin.id))).toBe(3006);
  });
});
