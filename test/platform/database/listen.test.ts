/** Notifications of the database, over a connection with all kinds of failures. */
import { listen } from '../../../src/platform/database/listen';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { until } from '../../harness/flow/until';
import { testDatabase } from '../../harness/servers/database';
import { TcpProxy } from '../../harness/servers/tcpProxy';

const database = testDatabase();
let proxy: TcpProxy;
let stop: AbortController;
let listening: Promise<void>;
let connections: boolean[];
let notifications: number;

beforeEach(async () => {
  proxy = await TcpProxy.start(database.url());
  [stop, connections, notifications] = [new AbortController(), [], 0];
  const onNotification = () => notifications++;
  const onConnection = (isConnected: boolean) => connections.push(isConnected);
  listening = listen(proxy.url, 'deliveries', { onNotification, onConnection }, stop.signal);
  atTheEnd(() => {
    stop.abort();
    return listening;
  });
  await until(() => connections.at(-1) === true);
});

/** Repeats until a notification arrives, because a busy machine may lose the connection for a moment. */
const notify = async () => {
  const before = notifications;
  await until(async () => {
    await database.db().$executeRaw`notify deliveries`;
    return notifications > before;
  });
};

it('the listener calls back for every notification of its channel, and for no other channel', async () => {
  for (let i = 0; i < 50; i++) await database.db().$executeRaw`notify api_keys`;
  await notify();
  expect(notifications).toBeLessThan(50);
});

it.each(['disconnect', 'stall'] as const)(
  'the listener reports that the connection failed by %s, and when it works again',
  async failure => {
    proxy[failure]();
    await until(() => connections.at(-1) === false);
    proxy.disconnect();
    proxy.restore();
    await until(() => connections.at(-1) === true);
    await notify();
  },
);

it('the listener stops although the database does not respond, and reports the lost connection', async () => {
  proxy.stall();
  stop.abort();
  await listening;
  expect(connections.at(-1)).toBe(false);
});

it('the listener stops although there is no database', async () => {
  proxy.disconnect();
  await until(() => connections.at(-1) === false);
  stop.abort();
  await listening;
});
