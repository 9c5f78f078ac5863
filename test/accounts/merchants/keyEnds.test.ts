/** A merchant replaces and revokes its own API keys, except its last unrestricted private key. */
import { eventually, until } from '../../harness/flow/until';
import { refusal, testKeys } from '../../harness/merchant/keys';
import { basic, errorOf, testApi } from '../../harness/servers/api';

const api = testApi();
const { newKey, works, isRefused, auditOf, ownKeyId } = testKeys(api);
const db = () => api.database.db();

describe('the last private key without restrictions', () => {
  it('cannot be revoked or restricted, not even by two concurrent requests', async () => {
    const { id: merchant_id, private_key } = api.merchants().own;
    const own = await ownKeyId();
    // The merchant's other keys are limited by rights, by address or by expiry.
    await db().apiKey.deleteMany({ where: { merchant_id, id: { not: own }, kind: 'private' } });
    const expiring = await newKey();
    await db().apiKey.update({ where: { id: expiring.id }, data: { expires_at: new Date(Date.now() + 3_600_000) } });
    await newKey({ read_only: true });
    await newKey({ addresses: ['203.0.113.7'] });
    const change = (id: string, body: object) => api.rest('PUT', `/keys/${id}`, { body });
    for (const answer of [
      await api.rest('DELETE', `/keys/${own}`),
      await change(own, { read_only: true }),
      await change(own, { addresses: ['127.0.0.1'] }),
    ])
      expect(refusal(answer)).toEqual([412, 3006]);
    expect((await change(own, { name: 'Last' })).status).toBe(200);
    await works(private_key);

    for (let round = 0; round < 5; round++) {
      const second = await newKey();
      await works(second.key);
      const [one, other] = await Promise.all([
        api.rest('DELETE', `/keys/${second.id}`, { key: private_key }),
        // By the database owner, so that the calling key itself is not revoked in the meantime.
        change(own, { read_only: true }),
      ]);
      const wins = [one.status === 204, other.status === 200].filter(Boolean);
      expect(wins).toHaveLength(1);
      if (other.status === 200) {
        await eventually(async () =>
          expect((await api.rest('PUT', `/keys/${own}`, { body: { read_only: false }, key: second.key })).status).toBe(
            200,
          ),
        );
        await until(async () => (await api.rest('DELETE', `/keys/${second.id}`)).status === 204);
      }
    }
  });
});

describe('POST /keys/{key_id}/rotate', () => {
  const rotate = (id: string, body: object = {}, headers = {}) =>
    api.rest('POST', `/keys/${id}/rotate`, { body, headers });

  it('creates a key with the same name and restrictions; the old key works for one more day', async () => {
    const old = await newKey({ name: 'Shop', addresses: ['127.0.0.1'] });
    const { body } = await rotate(old.id);
    expect(body).toMatchObject({ kind: 'private', name: 'Shop', addresses: ['127.0.0.1'], expires_at: null });
    await works(body.key);
    await works(old.key);
    const { expires_at } = (await api.rest('GET', `/keys/${old.id}`)).body;
    const hours = (Date.parse(expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
    expect(refusal(await rotate(old.id))).toEqual([412, 3006]);
    expect(await auditOf(body.id)).toMatchObject([
      { action: 'key.rotated', after: { replaces: old.id, overlap_hours: 24, name: 'Shop' } },
    ]);
  });

  it('with an overlap of 0 refuses the old key at once, and still lists it', async () => {
    const old = await newKey();
    await works(old.key);
    const { body } = await rotate(old.id, { overlap_hours: 0 });
    await isRefused(old.key);
    await works(body.key);
    expect((await api.rest('GET', '/keys?limit=100')).body).toContainEqual(
      expect.objectContaining({ id: old.id, expires_at: expect.any(String) }),
    );
  });

  it('called concurrently, rotates once; a repeat with the same Idempotency-Key returns the same key', async () => {
    const old = await newKey();
    const headers = { 'idempotency-key': `rotate ${old.id}` };
    const [first, second] = [await rotate(old.id, {}, headers), await rotate(old.id, {}, headers)];
    expect(second.text).toBe(first.text);
    const answers = await Promise.all(Array.from({ length: 10 }, () => rotate(first.body.id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it.each([[-1], [169], [1.5], ['soon']])('refuses an overlap of %s hours', async overlap_hours => {
    const { id } = await newKey();
    expect([1001, 1003]).toContain(errorOf(await rotate(id, { overlap_hours })));
    expect((await api.rest('GET', `/keys/${id}`)).body.expires_at).toBeNull();
    await api.rest('DELETE', `/keys/${id}`);
  });
});

describe('DELETE /keys/{key_id}', () => {
  it('revokes the key at once and ends its live streams; afterwards the key is not found', async () => {
    const { id, key } = await newKey();
    await works(key);
    const stream = await fetch(`${api.origin()}/graphql/stream`, {
      method: 'POST',
      headers: { authorization: basic(key) },
      body: JSON.stringify({ query: 'subscription { events { id } }' }),
    });
    expect(stream.status).toBe(200);
    expect((await api.rest('DELETE', `/keys/${id}`)).status).toBe(204);
    expect(await stream.text()).toContain('"error_code":1002');
    await isRefused(key);
    expect(refusal(await api.rest('GET', `/keys/${id}`))).toEqual([404, 1005]);
    expect(refusal(await api.rest('DELETE', `/keys/${id}`))).toEqual([404, 1005]);
    expect((await auditOf(id)).at(-1)).toMatchObject({
      action: 'key.revoked',
      before: { masked: `sk_…${key.slice(-4)}` },
    });
  });
});
