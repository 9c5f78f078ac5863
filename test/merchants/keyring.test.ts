import { openDatabase } from '../../src/database/connection';
import { retryUntilAnswered } from '../../src/embedded/managedProcess';
import { createMerchant, rotateKeys } from '../../src/merchants/accounts';
import { ApiKeyCache } from '../../src/merchants/keyring';
import { hashKey } from '../../src/merchants/keys';
import { variables } from '../../src/platform/variables';
import { testDatabase } from '../harness/servers/database';
import { TcpProxy } from '../harness/servers/tcpProxy';

const secret = variables.API_KEY_SECRET.defaultValue;

describe('a keyring', () => {
  const database = testDatabase();
  const merchant = { environment: 'sandbox', name: 'Tienda', email: 'tienda@example.com' } as const;
  let detour: TcpProxy;
  let keyring: ApiKeyCache;
  let asked = 0;

  beforeAll(async () => {
    detour = await TcpProxy.start(database.url());
    const db = openDatabase(database.url());
    const counted = db.$extends({
      query: {
        apiKey: {
          $allOperations: ({ args, query }) => {
            asked++;
            return query(args);
          },
        },
      },
    });
    keyring = new ApiKeyCache(counted as unknown as typeof db, detour.url, secret);
    await listening();
  });
  afterAll(async () => {
    await keyring.close();
    await detour.close();
  });

  const made = () => createMerchant(database.db(), merchant, secret);
  const revoke = (key: string) => database.db().apiKey.delete({ where: { hash: hashKey(key, secret) } });
  /** It listens once a second look costs no question. */
  const listening = async () => {
    const { private_key } = await made();
    await retryUntilAnswered(async () => {
      await keyring.findHolder(private_key);
      const before = asked;
      await keyring.findHolder(private_key);
      if (asked > before) throw new Error('it asks every time');
    }, 10);
  };
  const secondsUntilRefused = async (key: string): Promise<number> => {
    const started = Date.now();
    while (await keyring.findHolder(key)) await new Promise(resolve => setImmediate(resolve));
    return (Date.now() - started) / 1000;
  };

  it('asks the database once for a key, also for one that is nobody’s', async () => {
    const { id, private_key, public_key } = await made();
    await listening();
    expect(await keyring.findHolder(private_key)).toEqual({ merchant_id: id, environment: 'sandbox', kind: 'private' });
    expect(await keyring.findHolder(public_key)).toMatchObject({ merchant_id: id, kind: 'public' });
    expect(await keyring.findHolder(`sk_${'0'.repeat(32)}`)).toBeNull();
    // The notice of what was just made may still be on its way, and makes it ask once more.
    await retryUntilAnswered(async () => {
      const before = asked;
      for (const key of [private_key, public_key, `sk_${'0'.repeat(32)}`]) {
        for (let i = 0; i < 100; i++) await keyring.findHolder(key);
      }
      expect(asked).toBe(before);
    }, 5);
  });

  it('forgets a revoked key within a second', async () => {
    const { private_key } = await made();
    expect(await keyring.findHolder(private_key)).not.toBeNull();
    await revoke(private_key);
    expect(await secondsUntilRefused(private_key)).toBeLessThan(1);
  });

  it('lets a rotated key go when its time has come, without being told', async () => {
    const { id, private_key } = await made();
    await rotateKeys(database.db(), id, 1 / 3600, secret);
    expect(await keyring.findHolder(private_key)).not.toBeNull();
    expect(await secondsUntilRefused(private_key)).toBeLessThan(1.5);
  });

  it.each(['disconnect', 'stall'] as const)(
    'forgets within a second also when its connection was a victim of %s',
    async harm => {
      const { private_key } = await made();
      await listening();
      expect(await keyring.findHolder(private_key)).not.toBeNull();
      detour[harm]();
      await revoke(private_key);
      expect(await secondsUntilRefused(private_key)).toBeLessThan(1);
      detour.disconnect();
      detour.restore();
      await listening();
    },
  );
});
