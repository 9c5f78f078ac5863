/** The cache is empty while the connection with its notifications is disconnected. */

import { COMMAND_LINE, createMerchant } from '../../../src/accounts/merchants/accounts';
import { ApiKeyCache } from '../../../src/accounts/merchants/apiKeyCache';
import { hashKey } from '../../../src/accounts/merchants/keys';
import { suspendMerchant } from '../../../src/accounts/merchants/suspension';
import { variables } from '../../../src/platform/config/variables';
import { NotifiedCache } from '../../../src/platform/database/listen';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { eventually, until } from '../../harness/flow/until';
import { testDatabase } from '../../harness/servers/database';
import { TcpProxy } from '../../harness/servers/tcpProxy';
import { inDatabase } from '../../harness/world/database';

const secret = variables.API_KEY_SECRET.defaultValue;
const database = testDatabase();
let proxy: TcpProxy;
let cache: NotifiedCache<string>;

beforeEach(async () => {
  proxy = await TcpProxy.start(database.url());
  cache = new NotifiedCache(proxy.url, 'fraud_rules', key => cache.forget(key), 10);
  atTheEnd(() => cache.close());
  await until(isKept);
});

/** Whether a second lookup is answered from memory. */
async function isKept(): Promise<boolean> {
  await cache.find('any', async () => 'first');
  return (await cache.find('any', async () => 'second')) === 'first';
}

/** Terminates the listening connections; none returns before `proxy.restore()`. */
async function cutListeners(): Promise<void> {
  // A busy machine may have lost the connection just now, and then there is nothing to terminate yet.
  await eventually(async () => {
    proxy.restore();
    await until(isKept);
    proxy.refuse();
    const cut = await inDatabase(database.url(), client =>
      client.query(`select pg_terminate_backend(pid, 60000) as is_over from pg_stat_activity
        where datname = current_database() and (query like 'listen %' or query = 'select 1')`),
    );
    expect(cut.rows).toContainEqual({ is_over: true });
  });
}

it('the cache queries every time while the connection is lost, and caches again when it works', async () => {
  await cutListeners();
  await until(async () => !(await isKept()));
  for (const value of ['one', 'two', 'three']) expect(await cache.find('key', async () => value)).toBe(value);
  proxy.restore();
  await until(isKept);
});

it('the cache is cleared when the connection is lost, because a value may have changed in the meantime', async () => {
  // A lookup would change the cache, and a busy machine may lose the connection for a moment, so the test repeats.
  await eventually(async () => {
    await cache.find('key', async () => 'before');
    expect(await cache.find('key', async () => 'asked again')).toBe('before');
  });
  await cutListeners();
  await until(async () => !(await isKept()));
  proxy.restore();
  await until(isKept);
  expect(await cache.find('key', async () => 'after')).toBe('after');
});

it('the cache does not store a value that was requested before the disconnection and loaded after it', async () => {
  let answer: (value: string) => void = () => undefined;
  const asked = cache.find('key', () => new Promise(resolve => (answer = resolve)));
  await cutListeners();
  await until(async () => !(await isKept()));
  proxy.restore();
  await until(isKept);
  answer('of before');
  expect(await asked).toBe('of before');
  expect(await cache.find('key', async () => 'of after')).toBe('of after');
});

it('the cache does not store a value that changes while it is loaded', async () => {
  let answer: (value: string) => void = () => undefined;
  const asked = cache.find('key', () => new Promise(resolve => (answer = resolve)));
  await cache.find('heard', async () => 'before');
  await until(async () => {
    await database.db().$executeRaw`select pg_notify('fraud_rules', name) from unnest(array['key', 'heard']) as name`;
    return (await cache.find('heard', async () => 'after')) === 'after';
  });
  answer('of before');
  await asked;
  expect(await cache.find('key', async () => 'of after')).toBe('of after');
});

it('the cache refuses revoked keys and suspended merchants while notifications are lost', async () => {
  const db = database.db();
  const keys = new ApiKeyCache(db, proxy.url, secret);
  atTheEnd(() => keys.close());
  const details = { environment: 'sandbox', name: 'Shop', email: 'shop@example.com', phone: '6011234567' } as const;
  const { id, private_key, public_key } = await createMerchant(db, details, secret);
  const lookUpBoth = async () => {
    for (const key of [private_key, public_key])
      expect(await keys.findHolder(key)).toMatchObject({ merchant_id: id, rights: { isSuspended: false } });
  };
  await lookUpBoth();
  await cutListeners();
  await until(async () => !(await isKept()));
  await lookUpBoth();
  await db.apiKey.delete({ where: { hash: hashKey(public_key, secret) } });
  await suspendMerchant(db, COMMAND_LINE, id, 'Documents are missing');
  await until(async () => (await keys.findHolder(public_key)) === null);
  await until(async () => (await keys.findHolder(private_key))?.rights.isSuspended === true);
});
