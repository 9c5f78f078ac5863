import { openDatabase } from '../../src/database/connection';
import { createMerchant, rotateKeys } from '../../src/merchants/accounts';
import { ApiKeyCache } from '../../src/merchants/apiKeyCache';
import { hashKey } from '../../src/merchants/keys';
import { variables } from '../../src/platform/variables';
import { eventually } from '../harness/flow/until';
import { testDatabase } from '../harness/servers/database';
import { TcpProxy } from '../harness/servers/tcpProxy';

const secret = variables.API_KEY_SECRET.defaultValue;

describe('the cache of API keys', () => {
  const database = testDatabase();
  const merchant = { environment: 'sandbox', name: 'Tienda', email: 'tienda@example.com' } as const;
  let detour: TcpProxy;
  let apiKeyCache: ApiKeyCache;
  let queries = 0;

  beforeAll(async () => {
    detour = await TcpProxy.start(database.url());
    const db = openDatabase(database.url());
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
    apiKeyCache = new ApiKeyCache(countingDatabase as unknown as typeof db, detour.url, secret);
    await untilListening();
  });
  afterAll(async () => {
    await apiKeyCache.close();
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
  const secondsUntilRefused = async (key: string): Promise<number> => {
    const started = Date.now();
    while (await apiKeyCache.findHolder(key)) await new Promise(resolve => setImmediate(resolve));
    return (Date.now() - started) / 1000;
  };

  it('queries the database once for a key, even for an unknown one', async () => {
    const { id, private_key, public_key } = await newMerchant();
    await untilListening();
    expect(await apiKeyCache.findHolder(private_key)).toEqual({
      merchant_id: id,
      environment: 'sandbox',
      kind: 'private',
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

  it('refuses a revoked key within a second', async () => {
    const { private_key } = await newMerchant();
    expect(await apiKeyCache.findHolder(private_key)).not.toBeNull();
    await revoke(private_key);
    expect(await secondsUntilRefused(private_key)).toBeLessThan(1);
  });

  it('refuses a rotated key when it expires, without a notification', async () => {
    const { id, private_key } = await newMerchant();
    await rotateKeys(database.db(), id, 1 / 3600, secret);
    expect(await apiKeyCache.findHolder(private_key)).not.toBeNull();
    expect(await secondsUntilRefused(private_key)).toBeLessThan(1.5);
  });

  it.each(['disconnect', 'stall'] as const)(
    'refuses a revoked key within a second even if its database connection fails by %s',
    async failure => {
      const { private_key } = await newMerchant();
      await untilListening();
      expect(await apiKeyCache.findHolder(private_key)).not.toBeNull();
      detour[failure]();
      await revoke(private_key);
      expect(await secondsUntilRefused(private_key)).toBeLessThan(1);
      detour.disconnect();
      detour.restore();
      await untilListening();
    },
  );
});
