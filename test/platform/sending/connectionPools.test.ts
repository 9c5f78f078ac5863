import { createHook } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { ConnectionPools } from '../../../src/platform/sending/connectionPools';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { until } from '../../harness/flow/until';
import { Receiver } from '../../harness/webhooks/receiver';
import { failure, testSender } from '../../harness/webhooks/sender';

const sandboxSender = (options: object = {}) => testSender({ strict: false, ...options });
const requestTo = ({ port }: Receiver, host = '127.0.0.1') => ({
  ownerId: `w${port}`,
  url: `http://${host}:${port}/`,
  headers: {},
  body: '{}',
});
/** Delays all responses until it is released. */
const startHoldingReceiver = async () => {
  let held: ServerResponse[] | undefined = [];
  const receiver = await Receiver.start(response => (held ? held.push(response) : response.end()));
  const release = (): void => {
    for (const response of held ?? []) response.end();
    held = undefined;
  };
  return { receiver, release };
};
/** A lookup that returns the next of these addresses each time. */
const rotatingLookup = (...addresses: string[]) => {
  const lookedUp: string[] = [];
  const lookup = async (host: string) => {
    lookedUp.push(host);
    return [{ address: addresses[lookedUp.length - 1] ?? 'none', family: 4 }];
  };
  return { lookedUp, lookup };
};

describe('connections', () => {
  it('are reused', async () => {
    const receiver = await Receiver.start();
    const sender = sandboxSender();
    for (let i = 0; i < 20; i++) await sender.send(requestTo(receiver));
    // Each request starts while the previous connection is still being cleaned up, so two connections alternate.
    expect(receiver.connections).toBeLessThanOrEqual(2);
  });

  it('are limited to fifty per host', async () => {
    const { receiver, release } = await startHoldingReceiver();
    const sender = sandboxSender();
    const sent = Promise.all(Array.from({ length: 300 }, () => sender.send(requestTo(receiver))));
    await until(() => receiver.received.length === 50);
    release();
    await sent;
    expect(receiver.received.length).toBe(300);
    expect(receiver.connections).toBe(50);
  });

  it('are separate for each owner: a silent endpoint does not delay another owner at the same host', async () => {
    const receiver = await Receiver.start(response => response.req.headers.authorization ?? response.end('ok'));
    const sender = sandboxSender();
    const silentRequest = { ...requestTo(receiver), ownerId: 'w1', headers: { authorization: 'silent' } };
    let ended = 0;
    for (let i = 0; i < 120; i++) void failure(sender.send(silentRequest)).finally(() => ended++);
    await until(() => receiver.received.length === 50);
    expect(await sender.send({ ...requestTo(receiver), ownerId: 'w2' })).toMatchObject({ status: 200 });
    expect([ended, receiver.received.length]).toEqual([0, 51]);
  });

  it('are closed for the least recently used host when there are too many', async () => {
    const [a, b, c] = [await Receiver.start(), await Receiver.start(), await Receiver.start()];
    const sender = sandboxSender({ maxPools: 2 });
    for (const receiver of [a, b, a, c]) await sender.send(requestTo(receiver));
    await until(() => b.sockets.size === 0);
    expect([a.sockets.size, c.sockets.size]).not.toContain(0);
  });

  it('leave no timers behind when they are closed', async () => {
    const timers = new Set<number>();
    const watch = createHook({
      init: (id, type) => void (type === 'Timeout' && timers.add(id)),
      destroy: id => void timers.delete(id),
    }).enable();
    atTheEnd(() => watch.disable());
    const pools = new ConnectionPools({ strict: false, timeoutMs: 1000, maxPools: 2 });
    for (let i = 0; i < 10; i++) pools.poolFor('http://127.0.0.1:9', `w${i}`);
    const started = [...timers];
    expect(started).toHaveLength(10);
    const running = () => started.filter(id => timers.has(id)).length;
    await until(() => running() < 10);
    expect(running()).toBe(2);
  });

  it('finish their requests when they are closed: with more hosts than the cache holds, no request is lost', async () => {
    const holding = await Promise.all(Array.from({ length: 10 }, startHoldingReceiver));
    const sender = sandboxSender({ maxPools: 2 });
    const sent = holding.flatMap(({ receiver }) =>
      Array.from({ length: 5 }, () => sender.send(requestTo(receiver, 'localhost'))),
    );
    await until(() => holding.every(({ receiver }) => receiver.received.length === 5));
    for (const { release } of holding) release();
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(50).fill(200));
  });

  it('are closed with the sender, after the requests in flight', async () => {
    const { receiver, release } = await startHoldingReceiver();
    const sender = sandboxSender();
    const sending = sender.send(requestTo(receiver));
    await until(() => receiver.received.length === 1);
    const closed = sender.close();
    release();
    expect(await sending).toMatchObject({ status: 200 });
    await closed;
    await until(() => receiver.sockets.size === 0);
  });
});

describe('a host name', () => {
  it('is resolved once for all connections, which all use that address', async () => {
    const receiver = await Receiver.start(response => response.setHeader('connection', 'close').end());
    const { lookedUp, lookup } = rotatingLookup('127.0.0.1', '127.0.0.2');
    const sender = sandboxSender({ lookup });
    for (let round = 0; round < 3; round++)
      await Promise.all(Array.from({ length: 10 }, () => sender.send(requestTo(receiver, 'shop.test'))));
    expect(receiver.connections).toBe(30);
    expect(lookedUp).toEqual(['shop.test']);
    expect(receiver.received.map(({ headers }) => headers.host)).toEqual(Array(30).fill(`shop.test:${receiver.port}`));
  });

  it('is resolved again after a while, and the old connections are closed', async () => {
    const oldReceiver = await Receiver.start();
    const { lookedUp, lookup } = rotatingLookup('127.0.0.1', '127.0.0.2');
    const sender = sandboxSender({ lookup, pinnedMs: 100 });
    await sender.send(requestTo(oldReceiver, 'shop.test'));
    await until(() => oldReceiver.sockets.size === 0);
    const failed = await failure(sender.send(requestTo(oldReceiver, 'shop.test')));
    expect(failed.message).toBe('The host refused the connection');
    expect(lookedUp).toEqual(['shop.test', 'shop.test']);
  });

  it('that could not be resolved is resolved again for the next delivery', async () => {
    const receiver = await Receiver.start();
    let lookups = 0;
    const lookup = async () => {
      if (lookups++ === 0) throw Object.assign(new Error(), { code: 'ENOTFOUND' });
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const sender = sandboxSender({ lookup });
    await expect(sender.send(requestTo(receiver, 'shop.test'))).rejects.toThrow('The host name does not exist');
    expect(await sender.send(requestTo(receiver, 'shop.test'))).toMatchObject({ status: 200 });
  });
});
