import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionPools } from '../../src/sending/connectionPools';
import { type DeliveryFailure, Sender } from '../../src/sending/sender';
import { Receiver } from '../harness/webhooks/receiver';

const openResources: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(openResources.splice(0).map(resource => resource.close()));
});
const sandboxSender = (options: Partial<ConstructorParameters<typeof Sender>[0]> = {}): Sender => {
  const sender = new Sender({ strict: false, timeoutMs: 5000, ...options });
  openResources.push(sender);
  return sender;
};
const startReceiver = async (...args: Parameters<typeof Receiver.start>): Promise<Receiver> => {
  const started = await Receiver.start(...args);
  openResources.push(started);
  return started;
};
const requestTo = ({ port }: Receiver, host = '127.0.0.1') => ({
  ownerId: `w${port}`,
  url: `http://${host}:${port}/`,
  headers: {},
  body: '{}',
});
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}
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
    const receiver = await startReceiver();
    const sender = sandboxSender();
    for (let i = 0; i < 20; i++) await sender.send(requestTo(receiver));
    // Each request starts while the connection of the last one is still being cleaned up, so two alternate.
    expect(receiver.connections).toBeLessThanOrEqual(2);
  });

  it('are at most fifty to one host, however much there is to send', async () => {
    const receiver = await startReceiver(response => setTimeout(() => response.end(), 20));
    const sender = sandboxSender();
    await Promise.all(Array.from({ length: 300 }, () => sender.send(requestTo(receiver))));
    expect(receiver.received.length).toBe(300);
    expect(receiver.connections).toBe(50);
  });

  it('are separate for each owner: a silent endpoint does not hold up another owner at the same host', async () => {
    let silentRequests = 0;
    const server = createServer((request, response) => {
      if (request.headers.authorization === 'silent') silentRequests += 1;
      else response.end('ok');
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const message = { url: `http://127.0.0.1:${port}/`, body: '{}' };
    const sender = new Sender({ strict: false, timeoutMs: 3000 });
    const silentMessage = { ...message, ownerId: 'w1', headers: { authorization: 'silent' } };
    const waiting = Array.from({ length: 120 }, () => sender.send(silentMessage).catch(() => 'timed out'));
    while (silentRequests < 50) await new Promise(resolve => setImmediate(resolve));
    const { durationMs } = await sender.send({ ...message, ownerId: 'w2', headers: {} });
    expect(durationMs).toBeLessThan(2000);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['timed out']));
    await sender.close();
    server.close();
  });

  it('are closed for the least recently used host when there are too many', async () => {
    const [a, b, c] = [await startReceiver(), await startReceiver(), await startReceiver()];
    const sender = sandboxSender({ maxPools: 2 });
    for (const receiver of [a, b, a, c]) await sender.send(requestTo(receiver));
    await until(() => b.sockets.size === 0);
    expect([a.sockets.size, c.sockets.size]).not.toContain(0);
  });

  it('leave no timer behind when they are closed', () => {
    jest.useFakeTimers();
    try {
      const pools = new ConnectionPools({ strict: false, timeoutMs: 1000, maxPools: 2 });
      for (let i = 0; i < 10; i++) pools.poolFor('http://127.0.0.1:9', `w${i}`);
      expect(jest.getTimerCount()).toBe(2);
    } finally {
      jest.useRealTimers();
    }
  });

  it('finish their requests when closed: more hosts at once than are cached lose nothing', async () => {
    const receivers = await Promise.all(
      Array.from({ length: 10 }, () => startReceiver(response => setTimeout(() => response.end(), 50))),
    );
    const sender = sandboxSender({ maxPools: 2 });
    const sent = receivers.flatMap(receiver =>
      Array.from({ length: 5 }, () => sender.send(requestTo(receiver, 'localhost'))),
    );
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(50).fill(200));
  });

  it('are closed with the sender, after the requests in flight', async () => {
    const receiver = await startReceiver(response => setTimeout(() => response.end(), 100));
    const sender = sandboxSender();
    const sending = sender.send(requestTo(receiver));
    await until(() => receiver.received.length === 1);
    await sender.close();
    expect(await sending).toMatchObject({ status: 200 });
    await until(() => receiver.sockets.size === 0);
  });
});

describe('a host name', () => {
  it('is looked up once for all connections, which all go to that address', async () => {
    const receiver = await startReceiver(response => setTimeout(() => response.end(), 20));
    const { lookedUp, lookup } = rotatingLookup('127.0.0.1', '127.0.0.2');
    const sender = sandboxSender({ lookup });
    for (let round = 0; round < 3; round++) {
      await Promise.all(Array.from({ length: 10 }, () => sender.send(requestTo(receiver, 'shop.test'))));
      for (const socket of receiver.sockets) socket.destroy();
      await until(() => receiver.sockets.size === 0);
      await sleep(20);
    }
    expect(lookedUp).toEqual(['shop.test']);
    expect(receiver.received.map(({ headers }) => headers.host)).toEqual(Array(30).fill(`shop.test:${receiver.port}`));
  });

  it('is looked up again after a while, and the old connections are closed', async () => {
    const oldReceiver = await startReceiver();
    const { lookedUp, lookup } = rotatingLookup('127.0.0.1', '127.0.0.2');
    const sender = sandboxSender({ lookup, pinnedMs: 100 });
    await sender.send(requestTo(oldReceiver, 'shop.test'));
    await until(() => oldReceiver.sockets.size === 0);
    const error: DeliveryFailure = await sender.send(requestTo(oldReceiver, 'shop.test')).then(
      () => Promise.reject(new Error('it went to the old address')),
      failure => failure,
    );
    expect(error.message).toBe('The host refused the connection');
    expect(lookedUp).toEqual(['shop.test', 'shop.test']);
  });

  it('that could not be resolved is looked up again by the next delivery', async () => {
    const receiver = await startReceiver();
    let lookups = 0;
    const lookup = async () => {
      if (lookups++ === 0) throw Object.assign(new Error(), { code: 'ENOTFOUND' });
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const sender = sandboxSender({ lookup });
    await expect(sender.send(requestTo(receiver, 'shop.test'))).rejects.toThrow('The name of the host is not known');
    expect(await sender.send(requestTo(receiver, 'shop.test'))).toMatchObject({ status: 200 });
  });
});
