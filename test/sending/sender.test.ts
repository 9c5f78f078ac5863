import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../src/embedded/savedPorts';
import { DeliveryFailure, Sender } from '../../src/sending/sender';
import { Receiver } from '../harness/webhooks/receiver';

const open: { close(): unknown }[] = [];
const kept = <T extends { close(): unknown }>(one: T): T => {
  open.push(one);
  return one;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map(one => one.close()));
});

const sandbox = (options: Partial<ConstructorParameters<typeof Sender>[0]> = {}): Sender =>
  kept(new Sender({ strict: false, timeoutMs: 5000, ...options }));
const receiver = async (...how: Parameters<typeof Receiver.start>): Promise<Receiver> =>
  kept(await Receiver.start(...how));
const raw = async (...how: Parameters<typeof Receiver.startRaw>): Promise<Receiver> =>
  kept(await Receiver.startRaw(...how));
const to = ({ port }: { port: number }, host = '127.0.0.1') => ({
  ownerId: 'w1',
  url: `http://${host}:${port}/hook?a=1#part`,
  headers: { signature: 'abc' },
  body: '{"é":1}',
});
const failure = (sending: Promise<unknown>): Promise<DeliveryFailure> =>
  sending.then(
    () => Promise.reject(new Error('it was delivered')),
    error => error,
  );
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}

describe('what is sent', () => {
  it('is a POST with its headers and its body, and the answer comes back', async () => {
    const there = await receiver(response => response.writeHead(201).end('thanks'));
    const answered = await sandbox().send(to(there));
    expect(answered).toEqual({ status: 201, answer: 'thanks', ms: expect.any(Number) });
    expect(there.received).toEqual([
      {
        line: 'POST /hook?a=1',
        headers: {
          host: `127.0.0.1:${there.port}`,
          connection: 'keep-alive',
          'content-length': '8',
          signature: 'abc',
        },
        body: '{"é":1}',
      },
    ]);
  });

  it.each(['a\r\nhost: b', 'a\nb', 'a\rb', 'a\0b', 'ā'])('has no header that would be another: %j', async value => {
    const there = await receiver();
    const sending = sandbox().send({ ...to(there), headers: { signature: value } });
    expect((await failure(sending)).message).toBe('A header has characters that no header may have');
    const named = sandbox().send({ ...to(there), headers: { [value]: 'a' } });
    expect(await failure(named)).toBeInstanceOf(DeliveryFailure);
    expect(there.connections).toBe(0);
  });

  it.each([301, 302, 307, 308])('does not follow a redirect: %i', async status => {
    const elsewhere = await receiver();
    const there = await receiver(response =>
      response.writeHead(status, { location: `http://127.0.0.1:${elsewhere.port}/` }).end(),
    );
    expect(await sandbox().send(to(there))).toMatchObject({ status, answer: '' });
    expect(elsewhere.connections).toBe(0);
  });

  it('goes only where it may', async () => {
    const there = await receiver();
    const sending = sandbox().send({ ...to(there), url: `http://u:p@127.0.0.1:${there.port}/` });
    expect((await failure(sending)).message).toBe('The address must have no user and no password in it');
    expect(there.connections).toBe(0);
  });
});

describe('an answer', () => {
  const bytes = (content: Buffer | string) => receiver(response => response.end(content));

  it.each([
    ['is text', Buffer.from('día\nnoche'), 'día\nnoche'],
    ['that is no text is shown as such', Buffer.from([0x61, 0xff, 0xc3, 0x28, 0x62]), 'a��(b'],
    ['loses its NULs', Buffer.from('\0a\0b\0'), 'ab'],
    ['of a thousand bytes is kept', Buffer.alloc(1000, 'a'), 'a'.repeat(1000)],
    ['of more is cut', Buffer.alloc(1001, 'a'), 'a'.repeat(1000)],
    ['is not cut inside a character', Buffer.from(`a${'é'.repeat(1000)}`), `a${'é'.repeat(499)}`],
    ['that ends inside a character says so', Buffer.from('é').subarray(0, 1), '�'],
    ['may be empty', Buffer.alloc(0), ''],
    ['of 64 KB is read', Buffer.alloc(64 * 1024, 'a'), 'a'.repeat(1000)],
  ])('%s', async (_, content, answer) => {
    const there = await bytes(content);
    const sender = sandbox();
    expect(await sender.send(to(there))).toMatchObject({ status: 200, answer });
    for (let i = 0; i < 5; i++) await sender.send(to(there));
    expect(there.connections).toBeLessThanOrEqual(2);
  });

  it('without an end is left after 64 KB, and its connection too', async () => {
    let written = 0;
    const there = await receiver(async response => {
      for (response.writeHead(200); !response.closed && written < 1e9; written += 10_000)
        if (!response.write(Buffer.alloc(10_000, 'a')))
          await Promise.race([sleep(20), new Promise(go => response.once('drain', go))]);
    });
    expect(await sandbox().send(to(there))).toMatchObject({ status: 200, answer: 'a'.repeat(1000) });
    await until(() => there.allSockets[0]?.destroyed === true);
    expect(written).toBeLessThan(20e6);
  });

  it('has headers of a decent size', async () => {
    const there = await raw(socket =>
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n${`x: ${'a'.repeat(4000)}\r\n`.repeat(10)}`)),
    );
    expect((await failure(sandbox().send(to(there)))).message).toBe('The headers of the answer are too long');
    await until(() => there.allSockets[0]?.destroyed === true);
  });
});

describe('the time of a delivery is bounded, and what is late is left', () => {
  const timeoutMs = 300;
  const late = 'There was no complete answer within 0.3 seconds';
  const drip = (start: string) =>
    raw(socket =>
      socket.once('data', () => {
        socket.write(start);
        const timer = setInterval(() => socket.write('a'), 20);
        socket.on('close', () => clearInterval(timer));
      }),
    );

  it.each([
    ['no answer', () => raw(() => undefined)],
    ['headers byte by byte', () => drip('HTTP/1.1 200 OK\r\nx: ')],
    ['a body byte by byte', () => drip('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n')],
    ['a status that only says to wait', () => drip('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nx: ')],
  ])('%s', async (_, start) => {
    const there = await start();
    const failed = await failure(sandbox({ timeoutMs }).send(to(there)));
    expect(failed.message).toBe(late);
    expect(failed.ms).toBeGreaterThanOrEqual(timeoutMs - 2);
    expect(failed.ms).toBeLessThan(timeoutMs + 1500);
    await until(() => there.allSockets[0]?.destroyed === true);
  });

  it('a handshake that nobody answers', async () => {
    const there = await raw(() => undefined);
    const failed = await failure(
      sandbox({ timeoutMs }).send({ ...to(there), url: `https://127.0.0.1:${there.port}/` }),
    );
    expect(failed.message).toBe(late);
  });

  it('a name that nobody answers for: what waited for it is not sent afterwards', async () => {
    const there = await receiver();
    let answer = (): void => undefined;
    const lookup = () =>
      new Promise<{ address: string; family: number }[]>(resolve => {
        answer = () => resolve([{ address: '127.0.0.1', family: 4 }]);
      });
    const sender = sandbox({ timeoutMs, lookup });
    expect((await failure(sender.send(to(there, 'shop.test')))).message).toBe(late);
    answer();
    expect(await sender.send(to(there, 'shop.test'))).toMatchObject({ status: 200 });
    expect(there.received.length).toBe(1);
  });
});

describe('what went wrong is said in words', () => {
  const deliver = async (act: Parameters<typeof Receiver.startRaw>[0]): Promise<string> =>
    (await failure(sandbox().send(to(await raw(act))))).message;

  it('nobody there, for all who wait', async () => {
    const port = await freePort();
    const sender = sandbox();
    const failed = await Promise.all(Array.from({ length: 200 }, () => failure(sender.send(to({ port })))));
    expect(new Set(failed.map(({ message }) => message))).toEqual(new Set(['The host refused the connection']));
  });

  it('a connection that breaks, and an answer that is none', async () => {
    const broken = 'The connection broke before there was a complete answer';
    expect(await deliver(socket => socket.once('data', () => socket.destroy()))).toBe(broken);
    expect(await deliver(socket => socket.once('data', () => socket.resetAndDestroy()))).toBe(broken);
    expect(await deliver(socket => socket.once('data', () => socket.end('SSH-2.0\r\n\r\n')))).toBe(
      'The answer is not HTTP',
    );
    const short = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\na';
    expect(await deliver(socket => socket.once('data', () => socket.end(short)))).toBe(broken);
  });

  it('a name that is not known', async () => {
    const unknown = (code: string) => () => Promise.reject(Object.assign(new Error('asked 10.0.0.2'), { code }));
    const sent = { ...to({ port: 80 }), url: 'http://shop.test/' };
    const say = async (lookup: () => Promise<never[]>) => (await failure(sandbox({ lookup }).send(sent))).message;
    expect(await say(unknown('ENOTFOUND'))).toBe('The name of the host is not known');
    expect(await say(() => Promise.resolve([]))).toBe('The name of the host is not known');
    expect(await say(unknown('EAI_AGAIN'))).toBe('The name of the host could not be looked up');
    expect(await say(unknown('EWHATEVER'))).toBe('The request could not be sent');
  });
});
