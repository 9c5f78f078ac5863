/** Notifications of the database, over a connection that fails in every way. */
import { listen } from '../../../src/platform/database/listen';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { until } from '../../harness/flow/until';
import { testDatabase } from '../../harness/servers/database';
import { TcpProxy } from '../../harness/servers/tcpProxy';

const database = testDatabase();
let detour: TcpProxy;
let stop: AbortController;
let listening: Promise<void>;
let connections: boolean[];
let notifications: number;

beforeEach(async () => {
  detour = await TcpProxy.start(database.url());
  [stop, connections, notifications] = [new AbortController(), [], 0];
  const onNotification = () => notifications++;
  const onConnection = (isConnected: boolean) => connections.push(isConnected);
  listening = listen(detour.url, 'deliveries', { onNotification, onConnection }, stop.signal);
  atTheEnd(() => {
    stop.abort();
    return listening;
  });
  await until(() => connections.at(-1) === true);
});

/** Until one arrives: a busy machine may lose the connection for a moment, and notifications with it. */
const notify = async () => {
  const before = notifications;
  await until(async () => {
    await database.db().$executeRaw`notify deliveries`;
    return notifications > before;
  });
};

it('calls for every notification, and for those of its channel only', async () => {
  for (let i = 0; i < 50; i++) await database.db().$executeRaw`notify api_keys`;
  await notify();
  expect(notifications).toBeLessThan(50);
});

it.each(['disconnect', 'stall'] as const)(
  'says that it hears nothing after a failure by %s, and when it does again',
  async failure => {
    detour[failure]();
    await until(() => connections.at(-1) === false);
    detour.disconnect();
    detour.restore();
    await until(() => connections.at(-1) === true);
    await notify();
  },
);

it('stops when told to, though the database has stopped responding, and says that it hears nothing', async () => {
  detour.stall();
  stop.abort();
  await listening;
  expect(connections.at(-1)).toBe(false);
});

it('stops when told to, though there is no database', async () => {
  detour.disconnect();
  await until(() => connections.at(-1) === false);
  stop.abort();
  await listening;
});
