import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionPools } from '../../src/sending/connectionPools';
import { type DeliveryFailure, Sender } from '../../src/sending/sender';
import { Receiver } from '../harness/webhooks/receiver';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(one => one.close()));
});
const sandbox = (options: Partial<ConstructorParameters<typeof Sender>[0]> = {}): Sender => {
  const sender = new Sender({ strict: false, timeoutMs: 5000, ...options });
  open.push(sender);
  return sender;
};
const receiver = async (...how: Parameters<typeof Receiver.start>): Promise<Receiver> => {
  const started = await Receiver.start(...how);
  open.push(started);
  return started;
};
const to = ({ port }: Receiver, host = '127.0.0.1') => ({
  ownerId: `w${port}`,
  url: `http://${host}:${port}/`,
  headers: {},
  body: '{}',
});
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}
/** Names that mean another address every time that somebody asks. */
const changing = (...addresses: string[]) => {
  const asked: string[] = [];
  const lookup = async (host: string) => {
    asked.push(host);
    return [{ address: addresses[asked.length - 1] ?? 'none', family: 4 }];
  };
  return { asked, lookup };
};

describe('connections', () => {
  it('are used again', async () => {
    const there = await receiver();
    const sender = sandbox();
    for (let i = 0; i < 20; i++) await sender.send(to(there));
    // The next one is sent while the connection of the last is still being tidied up, so they take turns on two.
    expect(there.connections).toBeLessThanOrEqual(2);
  });

  it('are at most fifty to one place, however much there is to send', async () => {
    const there = await receiver(response => setTimeout(() => response.end(), 20));
    const sender = sandbox();
    await Promise.all(Array.from({ length: 300 }, () => sender.send(to(there))));
    expect(there.received.length).toBe(300);
    expect(there.connections).toBe(50);
  });

  it('are each one’s own: who is silent at a host keeps nobody else from it', async () => {
    let silent = 0;
    const server = createServer((request, response) => {
      if (request.headers.authorization === 'silent') silent += 1;
      else response.end('ok');
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const message = { url: `http://127.0.0.1:${port}/`, body: '{}' };
    const sender = new Sender({ strict: false, timeoutMs: 3000 });
    const silence = { ...message, ownerId: 'w1', headers: { authorization: 'silent' } };
    const waiting = Array.from({ length: 120 }, () => sender.send(silence).catch(() => 'late'));
    while (silent < 50) await new Promise(resolve => setImmediate(resolve));
    const { ms } = await sender.send({ ...message, ownerId: 'w2', headers: {} });
    expect(ms).toBeLessThan(2000);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['late']));
    await sender.close();
    server.close();
  });

  it('are closed for the place that was used longest ago, when there are too many places', async () => {
    const [a, b, c] = [await receiver(), await receiver(), await receiver()];
    const sender = sandbox({ maxPools: 2 });
    for (const there of [a, b, a, c]) await sender.send(to(there));
    await until(() => b.sockets.size === 0);
    expect([a.sockets.size, c.sockets.size]).not.toContain(0);
  });

  it('leave nothing behind when they are given up', () => {
    jest.useFakeTimers();
    try {
      const origins = new ConnectionPools({ strict: false, timeoutMs: 1000, maxPools: 2 });
      for (let i = 0; i < 10; i++) origins.to('http://127.0.0.1:9', `w${i}`);
      expect(jest.getTimerCount()).toBe(2);
    } finally {
      jest.useRealTimers();
    }
  });

  it('finish what they have: more places at once than are kept lose nothing', async () => {
    const places = await Promise.all(Array.from({ length: 10 }, () => receiver(r => setTimeout(() => r.end(), 50))));
    const sender = sandbox({ maxPools: 2 });
    const sent = places.flatMap(place => Array.from({ length: 5 }, () => sender.send(to(place, 'localhost'))));
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(50).fill(200));
  });

  it('are closed with the sender, after what is under way', async () => {
    const there = await receiver(response => setTimeout(() => response.end(), 100));
    const sender = sandbox();
    const sending = sender.send(to(there));
    await until(() => there.received.length === 1);
    await sender.close();
    expect(await sending).toMatchObject({ status: 200 });
    await until(() => there.sockets.size === 0);
  });
});

describe('a name', () => {
  it('is looked up once for all connections, which go where it led', async () => {
    const there = await receiver(response => setTimeout(() => response.end(), 20));
    const { asked, lookup } = changing('127.0.0.1', '127.0.0.2');
    const sender = sandbox({ lookup });
    for (let round = 0; round < 3; round++) {
      await Promise.all(Array.from({ length: 10 }, () => sender.send(to(there, 'shop.test'))));
      for (const socket of there.sockets) socket.destroy();
      await until(() => there.sockets.size === 0);
      await sleep(20);
    }
    expect(asked).toEqual(['shop.test']);
    expect(there.received.map(({ headers }) => headers.host)).toEqual(Array(30).fill(`shop.test:${there.port}`));
  });

  it('is looked up again after a while, and the old connections are closed', async () => {
    const old = await receiver();
    const { asked, lookup } = changing('127.0.0.1', '127.0.0.2');
    const sender = sandbox({ lookup, pinnedMs: 100 });
    await sender.send(to(old, 'shop.test'));
    await until(() => old.sockets.size === 0);
    const error: DeliveryFailure = await sender.send(to(old, 'shop.test')).then(
      () => Promise.reject(new Error('it went to the old address')),
      failed => failed,
    );
    expect(error.message).toBe('The host refused the connection');
    expect(asked).toEqual(['shop.test', 'shop.test']);
  });

  it('that was not known is looked up again by the next delivery', async () => {
    const there = await receiver();
    let times = 0;
    const lookup = async () => {
      if (times++ === 0) throw Object.assign(new Error(), { code: 'ENOTFOUND' });
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const sender = sandbox({ lookup });
    await expect(sender.send(to(there, 'shop.test'))).rejects.toThrow('The name of the host is not known');
    expect(await sender.send(to(there, 'shop.test'))).toMatchObject({ status: 200 });
  });
});
