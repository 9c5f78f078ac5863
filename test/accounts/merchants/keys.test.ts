/** A merchant creates and restricts its own API keys, and sees when each was last used. */

import { KeyUses } from '../../../src/accounts/merchants/keyUses';
import { openDatabase } from '../../../src/platform/database/connection';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { freezeClock } from '../../harness/flow/frozenClock';
import { eventually } from '../../harness/flow/until';
import { refusal, testKeys } from '../../harness/merchant/keys';
import { errorOf, sendRequest, testApi } from '../../harness/servers/api';

const api = testApi();
const { createKey, newKey, read, works, isRefused, auditOf, ownKeyId } = testKeys(api);
const db = () => api.database.db();

describe('POST /keys', () => {
  it('shows the key once; afterwards it is masked, and only its hash is stored', async () => {
    const { status, headers, body } = await createKey({ name: 'Shop' });
    expect([status, headers.get('resource-id')]).toEqual([201, body.id]);
    expect(body).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{19}$/),
      kind: 'private',
      name: 'Shop',
      key: expect.stringMatching(/^sk_[0-9a-f]{32}$/),
      masked: `sk_…${body.key.slice(-4)}`,
      read_only: false,
      addresses: [],
      creation_date: expect.any(String),
      last_used_at: null,
      expires_at: null,
    });
    await works(body.key);
    const { key, ...shown } = body;
    const { body: later } = await api.rest('GET', `/keys/${body.id}`);
    expect({ ...later, last_used_at: null }).toEqual(shown);
    const list = await api.rest('GET', '/keys');
    expect(list.body.map(({ id }: { id: string }) => id)).toContain(body.id);
    expect(list.text).not.toContain(key);
    const { body: graphql } = await api.graphql('{ keys { nodes { id masked key } } }');
    expect(graphql.data.keys.nodes).toContainEqual({ id: body.id, masked: shown.masked, key: null });
    expect(await auditOf(body.id)).toMatchObject([
      { action: 'key.created', actor: 'key', actor_id: await ownKeyId(), after: { name: 'Shop', read_only: false } },
    ]);
  });

  it('creates public keys', async () => {
    const { key } = await newKey({ kind: 'public' });
    expect(key).toMatch(/^pk_[0-9a-f]{32}$/);
    await eventually(async () => expect(refusal(await read(key))).toEqual([403, 1010]));
  });

  it('repeated with the same Idempotency-Key, even after a crash, returns the same key and stores no plain secret', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await createKey({ name: 'Again' }, headers);
    const again = await createKey({ name: 'Again' }, headers);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    const where = { merchant_id: api.merchants().own.id, key: 'once' };
    const kept = await db().idempotentReply.findFirstOrThrow({ where });
    expect(kept.body).not.toMatch(/[sp]k_[0-9a-f]{32}/);
    await db().idempotentReply.updateMany({ where, data: { status: null, body: null, lease_until: new Date(0) } });
    expect((await createKey({ name: 'Again' }, headers)).body.key).toBe(first.body.key);
    expect(await db().apiKey.count({ where: { name: 'Again' } })).toBe(1);
  });

  it.each<[string, object, number]>([
    ['no kind', { kind: undefined }, 1001],
    ['an unknown kind', { kind: 'operator' }, 1003],
    ['a long name', { name: 'x'.repeat(101) }, 1001],
    ['an invalid address', { addresses: ['here'] }, 1003],
    ['an invalid prefix length', { addresses: ['10.0.0.0/33'] }, 1003],
    ['a partial address', { addresses: ['10.0.0'] }, 1003],
    ['the whole Internet', { addresses: ['0.0.0.0/0'] }, 1003],
    ['a network that is too large', { addresses: ['::/8'] }, 1003],
    ['an IPv4-mapped IPv6 address', { addresses: ['::ffff:0:0/96'] }, 1003],
    ['too many addresses', { addresses: Array.from({ length: 51 }, (_, i) => `10.0.0.${i}`) }, 1003],
    ['addresses that are not a list', { addresses: 5 }, 1001],
    ['a read-only public key', { kind: 'public', read_only: true }, 1003],
  ])('refuses %s', async (_, body, code) => {
    const before = await db().apiKey.count();
    expect(errorOf(await createKey(body))).toBe(code);
    expect(await db().apiKey.count()).toBe(before);
  });

  it('fails with 3006 beyond 50 keys, even when requested concurrently; expired keys do not count', async () => {
    const { other } = api.merchants();
    const create = () =>
      sendRequest(`${api.origin()}/v1/${other.id}/keys`, 'POST', { key: other.private_key, body: { kind: 'public' } });
    const answers = await Promise.all(Array.from({ length: 55 }, create));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(48);
    expect(refusal(await create())).toEqual([412, 3006]);
    const { id } = await db().apiKey.findFirstOrThrow({ where: { merchant_id: other.id, kind: 'public' } });
    await db().apiKey.update({ where: { id }, data: { expires_at: new Date(0) } });
    expect((await create()).status).toBe(201);
  });
});

describe('a read-only key', () => {
  it('reads over REST and GraphQL, but changes nothing and lists no keys', async () => {
    const { id, key } = await newKey({ read_only: true });
    await works(key);
    expect((await api.graphql('{ merchant { id } }', {}, { key })).body.data.merchant.id).toBe(api.merchants().own.id);
    const refused = [
      await api.rest('POST', '/customers', { key, body: '{' }),
      await api.rest('DELETE', `/keys/${id}`, { key }),
      await api.rest('GET', '/keys', { key }),
      await api.rest('GET', `/keys/${id}`, { key }),
      await api.graphql('mutation { createKey }', {}, { key }),
      await api.graphql('{ keys { nodes { id } } }', {}, { key }),
    ];
    for (const answer of refused) expect(refusal(answer)).toEqual([403, 1010]);
  });
});

describe('a key restricted to addresses', () => {
  it('works from these addresses; from other addresses it is refused like an unknown key', async () => {
    const here = await newKey({ addresses: ['127.0.0.0/8', '203.0.113.7', '127.0.0.0/8'] });
    await works(here.key);
    const elsewhere = await newKey({ addresses: ['203.0.113.0/24', '2001:db8::/32'] });
    const [refused, wrong] = [await read(elsewhere.key), await read(`sk_${'0'.repeat(32)}`)];
    expect(refusal(refused)).toEqual([401, 1002]);
    expect({ ...refused.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' });
    expect((await api.rest('GET', `/keys/${here.id}`)).body.addresses).toEqual(['127.0.0.0/8', '203.0.113.7']);
  });
});

describe('PUT /keys/{key_id}', () => {
  it('changes the name and restrictions at once; a body equal to the current values changes nothing', async () => {
    const { id, key } = await newKey({ name: 'Old' });
    await works(key);
    const put = (body: object) => api.rest('PUT', `/keys/${id}`, { body });
    const changed = await put({ name: 'New', addresses: ['203.0.113.7'] });
    expect(changed.body).toMatchObject({ name: 'New', addresses: ['203.0.113.7'], read_only: false });
    await isRefused(key);
    // The use of the key may have been recorded by then.
    const { last_used_at: _, ...unchanged } = changed.body;
    expect((await put(changed.body)).body).toMatchObject(unchanged);
    expect((await put({ name: '', addresses: [], read_only: true })).body).toMatchObject({
      name: null,
      addresses: [],
      read_only: true,
    });
    await works(key);
    expect((await auditOf(id)).slice(1)).toMatchObject([
      {
        action: 'key.changed',
        before: { name: 'Old', addresses: [] },
        after: { name: 'New', addresses: ['203.0.113.7'] },
      },
      { action: 'key.changed', before: { read_only: false }, after: { read_only: true, name: null } },
    ]);
    expect(errorOf(await put({ addresses: ['x'] }))).toBe(1003);
    expect(errorOf(await put({ read_only: 'maybe' }))).toBe(1001);
  });
});

describe('the time of last use', () => {
  it('is shown on the key', async () => {
    const { id, key } = await newKey();
    await works(key);
    await eventually(async () =>
      expect(Date.parse((await api.rest('GET', `/keys/${id}`)).body.last_used_at)).toBeGreaterThan(Date.now() - 60_000),
    );
  });

  it('is written at most once a minute, for all keys in one statement', async () => {
    let statements = 0;
    const own = openDatabase(api.database.url());
    atTheEnd(() => own.$disconnect());
    const counting = own.$extends({
      query: {
        $executeRaw: ({ args, query }) => {
          statements += 1;
          return query(args);
        },
      },
    });
    const uses = new KeyUses(counting as unknown as typeof own);
    const moveClock = freezeClock();
    const usedAt = async (key_id: string) => (await db().keyUse.findUnique({ where: { key_id } }))?.used_at.getTime();
    const start = Date.now();
    for (let i = 0; i < 100; i++) for (const id of ['one', 'two']) uses.note(id);
    await uses.write();
    expect([statements, await usedAt('one'), await usedAt('two')]).toEqual([1, start, start]);
    moveClock(59_000);
    uses.note('one');
    await uses.write();
    expect([statements, await usedAt('one')]).toEqual([1, start]);
    moveClock(1000);
    uses.note('one');
    await uses.close();
    expect([statements, await usedAt('one'), await usedAt('two')]).toEqual([2, start + 60_000, start]);
  });
});
