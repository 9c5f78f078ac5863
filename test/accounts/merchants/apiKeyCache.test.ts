import { createMerchant, rotateKeys } from '../../../src/accounts/merchants/accounts';
import { ApiKeyCache } from '../../../src/accounts/merchants/apiKeyCache';
import { hashKey } from '../../../src/accounts/merchants/keys';
import { variables } from '../../../src/platform/config/variables';
import { openDatabase } from '../../../src/platform/database/connection';
import { HEARTBEAT_INTERVAL_MS, HEARTBEAT_TIMEOUT_MS } from '../../../src/platform/database/listen';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { freezeClock } from '../../harness/flow/frozenClock';
import { eventually, until } from '../../harness/flow/until';
import { testDatabase } from '../../harness/servers/database';
import { TcpProxy } from '../../harness/servers/tcpProxy';

const secret = variables.API_KEY_SECRET.defaultValue;

describe('the cache of API keys', () => {
  const database = testDatabase();
  const merchant = {
    environment: 'sandbox',
    name: 'Tienda',
    email: 'tienda@example.com',
    phone: '6011234567',
  } as const;
  let proxy: TcpProxy;
  let apiKeyCache: ApiKeyCache;
  let queries = 0;

  beforeAll(async () => {
    proxy = await TcpProxy.start(database.url());
    const db = openDatabase(database.url());
    atTheEnd(() => db.$disconnect());
    const countingDatabase = db.$extends({
      query: {
        apiKey: {
          $allOperations: ({ args, query }) => {
            queries++;
            return query(args);
          },
        },
      },
    });
    // TypeScript does not accept an extended client as a PrismaClient.
    apiKeyCache = new ApiKeyCache(countingDatabase as unknown as typeof db, proxy.url, secret);
    atTheEnd(() => apiKeyCache.close());
    await untilListening();
  });

  const newMerchant = () => createMerchant(database.db(), merchant, secret);
  const revoke = (key: string) => database.db().apiKey.delete({ where: { hash: hashKey(key, secret) } });
  /** The cache is listening as soon as a second lookup of a key needs no query. */
  const untilListening = async () => {
    const { private_key } = await newMerchant();
    await eventually(async () => {
      await apiKeyCache.findHolder(private_key);
      const before = queries;
      await apiKeyCache.findHolder(private_key);
      if (queries > before) throw new Error('it queries every time');
    });
  };
  const isRefused = async (key: string) => (await apiKeyCache.findHolder(key)) === null;

  it('queries the database once for a key, even for an unknown one', async () => {
    const { id, private_key, public_key } = await newMerchant();
    await untilListening();
    expect(await apiKeyCache.findHolder(private_key)).toEqual({
      key: expect.stringMatching(/^[0-9a-f]{20}$/),
      key_id: expect.stringMatching(/^c[0-9a-z]{19}$/),
      merchant_id: id,
      environment: 'sandbox',
      kind: 'private',
      addresses: [],
      rights: { isReadOnly: false, isSuspended: false, role: undefined },
    });
    expect(await apiKeyCache.findHolder(public_key)).toMatchObject({ merchant_id: id, kind: 'public' });
    expect(await apiKeyCache.findHolder(`sk_${'0'.repeat(32)}`)).toBeNull();
    // The notification about the new merchant may still arrive and clear the cache once more.
    await eventually(async () => {
      const before = queries;
      for (const key of [private_key, public_key, `sk_${'0'.repeat(32)}`]) {
        for (let i = 0; i < 100; i++) await apiKeyCache.findHolder(key);
      }
      expect(queries).toBe(before);
    });
  });

  it('refuses a revoked key as soon as it is notified', async () => {
    const { private_key } = await newMerchant();
    expect(await apiKeyCache.findHolder(private_key)).not.toBeNull();
    await revoke(private_key);
    await until(() => isRefused(private_key));
  });

  it('keeps the keys of other merchants when a merchant or one of its keys changes', async () => {
    const other = await newMerchant();
    // On a busy machine the connection may drop for a moment, which clears the whole cache.
    await eventually(async () => {
      const one = await newMerchant();
      await untilListening();
      for (const { private_key } of [one, other]) await apiKeyCache.findHolder(private_key);
      await database.db().merchant.update({ where: { id: one.id }, data: { name: 'Otra' } });
      await revoke(one.public_key);
      await revoke(one.private_key);
      await until(() => isRefused(one.private_key));
      const before = queries;
      expect(await apiKeyCache.findHolder(other.private_key)).not.toBeNull();
      expect(queries).toBe(before);
    });
  });

  it('refuses a rotated key when it expires, without a notification', async () => {
    const { id, private_key } = await newMerchant();
    const moveClock = freezeClock();
    await rotateKeys(database.db(), id, 1, secret);
    moveClock(3_599_999);
    expect(await apiKeyCache.findHolder(private_key)).not.toBeNull();
    moveClock(1);
    expect(await apiKeyCache.findHolder(private_key)).toBeNull();
  });

  it('notices within a second that its connection has failed', () => {
    expect(HEARTBEAT_INTERVAL_MS + HEARTBEAT_TIMEOUT_MS).toBeLessThan(1000);
  });

  it.each(['disconnect', 'stall'] as const)(
    'refuses a revoked key even if its database connection fails by %s',
    async failure => {
      const { private_key } = await newMerchant();
      await untilListening();
      expect(await apiKeyCache.findHolder(private_key)).not.toBeNull();
      proxy[failure]();
      await revoke(private_key);
      await until(() => isRefused(private_key));
      proxy.disconnect();
      proxy.restore();
      await untilListening();
    },
  );
});
