/** Open streams end when their key is revoked, even while notifications of revocations cannot be delivered. */

import { createMerchant } from '../../../src/accounts/merchants/accounts';
import { ApiKeyCache } from '../../../src/accounts/merchants/apiKeyCache';
import { hashKey } from '../../../src/accounts/merchants/keys';
import { authenticate } from '../../../src/api/authentication';
import { KEY_CHECK_INTERVAL_MS, OpenStreams } from '../../../src/api/graphql/live/openStreams';
import { variables } from '../../../src/platform/config/variables';
import { HEARTBEAT_INTERVAL_MS, HEARTBEAT_TIMEOUT_MS } from '../../../src/platform/database/listen';
import { ApiError } from '../../../src/platform/errors';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { until } from '../../harness/flow/until';
import { basic } from '../../harness/servers/api';
import { testDatabase } from '../../harness/servers/database';
import { TcpProxy } from '../../harness/servers/tcpProxy';

const database = testDatabase();
const secret = variables.API_KEY_SECRET.defaultValue;

it('checks keys often enough to end a stream within a second', () => {
  expect(KEY_CHECK_INTERVAL_MS + HEARTBEAT_INTERVAL_MS + HEARTBEAT_TIMEOUT_MS).toBeLessThan(1000);
});

it.each(['disconnect', 'stall'] as const)(
  'ends the streams of a revoked key although the notification connection failed by %s',
  async failure => {
    const proxy = await TcpProxy.start(database.url());
    const cache = new ApiKeyCache(database.db(), proxy.url, secret);
    atTheEnd(() => cache.close());
    const merchant = { environment: 'sandbox', name: 'Tienda', email: 'x@example.com', phone: '6011234567' } as const;
    const { private_key } = await createMerchant(database.db(), merchant, secret);
    const credentials = basic(private_key);
    let checks = 0;
    const streams = new OpenStreams(async header => {
      await authenticate(cache, 'sandbox', header, '127.0.0.1');
      checks++;
    });
    const reasons: (ApiError | undefined)[] = [];
    const end = (reason?: ApiError) => {
      reasons.push(reason);
      streams.remove(credentials, end);
    };
    streams.add(credentials, end);
    await until(() => checks > 2);
    proxy[failure]();
    await database.db().apiKey.delete({ where: { hash: hashKey(private_key, secret) } });
    await until(() => reasons.length > 0);
    expect(reasons.map(reason => reason?.error_code)).toEqual([1002]);
  },
);

it('checks many streams of one key with one query, one query at a time, and none without streams', async () => {
  const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
  const before = timers();
  let asked = 0;
  let answer = (): void => undefined;
  const streams = new OpenStreams(() => {
    asked++;
    return new Promise((_, reject) => {
      answer = () => reject(new ApiError('not_authenticated'));
    });
  });
  const ended: number[] = [];
  const ends = Array.from({ length: 3 }, (_, i) => () => {
    ended.push(i);
  });
  for (const end of ends) streams.add('one key', end);
  await until(() => asked === 1);
  // Two more intervals pass before this stream is checked.
  let ticks = 0;
  const clock = setInterval(() => ticks++, KEY_CHECK_INTERVAL_MS);
  atTheEnd(() => clearInterval(clock));
  await until(() => ticks >= 2);
  expect([asked, ended]).toEqual([1, []]);
  answer();
  await until(() => ended.length > 0);
  expect(ended).toEqual([0, 1, 2]);
  for (const end of ends) streams.remove('one key', end);
  clearInterval(clock);
  await until(() => timers() <= before);
});
