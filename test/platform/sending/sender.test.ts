import { freePort } from '../../../src/local/savedPorts';
import { DeliveryFailure } from '../../../src/platform/sending/sender';
import { eventually, until } from '../../harness/flow/until';
import { Receiver } from '../../harness/webhooks/receiver';
import { failure, testSender } from '../../harness/webhooks/sender';

const sandboxSender = (options: object = {}) => testSender({ strict: false, ...options });
const requestTo = ({ port }: { port: number }, host = '127.0.0.1') => ({
  ownerId: 'w1',
  url: `http://${host}:${port}/hook?a=1#part`,
  headers: { signature: 'abc' },
  body: '{"é":1}',
});

describe('the request', () => {
  it('is a POST with its headers and its body, and returns the response', async () => {
    const receiver = await Receiver.start(response => response.writeHead(201).end('thanks'));
    const response = await sandboxSender().send(requestTo(receiver));
    expect(response).toEqual({ status: 201, answer: 'thanks', durationMs: expect.any(Number) });
    expect(receiver.received).toEqual([
      {
        line: 'POST /hook?a=1',
        headers: {
          host: `127.0.0.1:${receiver.port}`,
          connection: 'keep-alive',
          'content-length': '8',
          signature: 'abc',
        },
        body: '{"é":1}',
      },
    ]);
  });

  it.each([
    ['7200', 7200],
    ['Thu, 31 Dec 2099 23:59:59 GMT', (Date.parse('2099-12-31T23:59:59Z') - Date.now()) / 1000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', 0],
  ])('returns the header Retry-After: %s', async (header, expected) => {
    const receiver = await Receiver.start(response => response.writeHead(503, { 'retry-after': header }).end());
    const { retryAfterSeconds } = await sandboxSender().send(requestTo(receiver));
    expect(Math.abs((retryAfterSeconds ?? 0) - expected)).toBeLessThan(3600);
  });

  it.each(['a\r\nhost: b', 'a\nb', 'a\rb', 'a\0b', 'ā'])('refuses header injection: %j', async value => {
    const receiver = await Receiver.start();
    const sending = sandboxSender().send({ ...requestTo(receiver), headers: { signature: value } });
    expect((await failure(sending)).message).toBe('A header contains invalid characters');
    const namedHeader = sandboxSender().send({ ...requestTo(receiver), headers: { [value]: 'a' } });
    expect(await failure(namedHeader)).toBeInstanceOf(DeliveryFailure);
    expect(receiver.connections).toBe(0);
  });

  it.each([301, 302, 307, 308])('does not follow a redirect: %i', async status => {
    const elsewhere = await Receiver.start();
    const receiver = await Receiver.start(response =>
      response.writeHead(status, { location: `http://127.0.0.1:${elsewhere.port}/` }).end(),
    );
    expect(await sandboxSender().send(requestTo(receiver))).toMatchObject({ status, answer: '' });
    expect(elsewhere.connections).toBe(0);
  });

  it('is not sent to a refused URL', async () => {
    const receiver = await Receiver.start();
    const sending = sandboxSender().send({ ...requestTo(receiver), url: `http://u:p@127.0.0.1:${receiver.port}/` });
    expect((await failure(sending)).message).toBe('The address must not contain a user or password');
    expect(receiver.connections).toBe(0);
  });
});

describe('a response', () => {
  const bytes = (content: Buffer | string) => Receiver.start(response => response.end(content));

  it.each([
    ['is returned as text', Buffer.from('día\nnoche'), 'día\nnoche'],
    ['shows invalid bytes as replacement characters', Buffer.from([0x61, 0xff, 0xc3, 0x28, 0x62]), 'a��(b'],
    ['has its NUL characters removed', Buffer.from('\0a\0b\0'), 'ab'],
    ['with a thousand bytes is returned whole', Buffer.alloc(1000, 'a'), 'a'.repeat(1000)],
    ['with more bytes is truncated', Buffer.alloc(1001, 'a'), 'a'.repeat(1000)],
    ['is not truncated inside a character', Buffer.from(`a${'é'.repeat(1000)}`), `a${'é'.repeat(499)}`],
    ['that ends inside a character has a replacement character', Buffer.from('é').subarray(0, 1), '�'],
    ['may be empty', Buffer.alloc(0), ''],
    ['with 64 KB is read', Buffer.alloc(64 * 1024, 'a'), 'a'.repeat(1000)],
  ])('%s', async (_, content, answer) => {
    const receiver = await bytes(content);
    const sender = sandboxSender();
    expect(await sender.send(requestTo(receiver))).toMatchObject({ status: 200, answer });
    for (let i = 0; i < 5; i++) await sender.send(requestTo(receiver));
    expect(receiver.connections).toBeLessThanOrEqual(2);
  });

  it('without an end is truncated after 64 KB by closing its connection', async () => {
    let written = 0;
    const receiver = await Receiver.start(async response => {
      const closed = new Promise(resolve => response.once('close', resolve));
      for (response.writeHead(200); !response.closed && written < 1e9; written += 10_000)
        if (!response.write(Buffer.alloc(10_000, 'a')))
          await Promise.race([closed, new Promise(resolve => response.once('drain', resolve))]);
    });
    expect(await sandboxSender().send(requestTo(receiver))).toMatchObject({ status: 200, answer: 'a'.repeat(1000) });
    await until(() => receiver.allSockets[0]?.destroyed === true);
    expect(written).toBeLessThan(20e6);
  });

  it('with headers that are too long is refused', async () => {
    const receiver = await Receiver.startRaw(socket =>
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n${`x: ${'a'.repeat(4000)}\r\n`.repeat(10)}`)),
    );
    expect((await failure(sandboxSender().send(requestTo(receiver)))).message).toBe(
      'The response headers are too long',
    );
    await until(() => receiver.allSockets[0]?.destroyed === true);
  });
});

describe('a request times out and closes its connection', () => {
  const timeoutMs = 300;
  const timeoutMessage = 'The response was not complete within 0.3 seconds';
  const drip = (start: string) =>
    Receiver.startRaw(socket =>
      socket.once('data', () => {
        socket.write(start);
        const timer = setInterval(() => socket.write('a'), 20);
        socket.on('close', () => clearInterval(timer));
      }),
    );

  it.each([
    ['without a response', () => Receiver.startRaw(() => undefined)],
    ['with headers byte by byte', () => drip('HTTP/1.1 200 OK\r\nx: ')],
    ['with a body byte by byte', () => drip('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n')],
    ['with an interim status but no final one', () => drip('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nx: ')],
  ])('%s', async (_, start) => {
    const receiver = await start();
    const failed = await failure(sandboxSender({ timeoutMs }).send(requestTo(receiver)));
    expect(failed.message).toBe(timeoutMessage);
    // The timer of the request may fire a millisecond before the clock reaches the time.
    expect(failed.durationMs).toBeGreaterThanOrEqual(timeoutMs - 2);
    await until(() => receiver.allSockets[0]?.destroyed === true);
  });

  it('without a response to the TLS handshake', async () => {
    const receiver = await Receiver.startRaw(() => undefined);
    const failed = await failure(
      sandboxSender({ timeoutMs }).send({ ...requestTo(receiver), url: `https://127.0.0.1:${receiver.port}/` }),
    );
    expect(failed.message).toBe(timeoutMessage);
  });

  it('without a response of the name server; a late response does not lead to a request', async () => {
    const receiver = await Receiver.start();
    let resolveLookup = (): void => undefined;
    const lookup = () =>
      new Promise<{ address: string; family: number }[]>(resolve => {
        resolveLookup = () => resolve([{ address: '127.0.0.1', family: 4 }]);
      });
    const sender = sandboxSender({ timeoutMs, lookup });
    expect((await failure(sender.send(requestTo(receiver, 'shop.test')))).message).toBe(timeoutMessage);
    resolveLookup();
    // On a busy machine the later request may also time out.
    await eventually(() => sender.send({ ...requestTo(receiver, 'shop.test'), body: 'later' }));
    expect(new Set(receiver.received.map(({ body }) => body))).toEqual(new Set(['later']));
  });
});

describe('the description of a failure', () => {
  const deliver = async (onConnection: Parameters<typeof Receiver.startRaw>[0]): Promise<string> =>
    (await failure(sandboxSender().send(requestTo(await Receiver.startRaw(onConnection))))).message;

  it('names a refused connection, for all waiting requests', async () => {
    const port = await freePort();
    const sender = sandboxSender();
    const failed = await Promise.all(Array.from({ length: 200 }, () => failure(sender.send(requestTo({ port })))));
    expect(new Set(failed.map(({ message }) => message))).toEqual(new Set(['The host refused the connection']));
  });

  it('names a broken connection, and a response that is not HTTP', async () => {
    const broken = 'The connection closed before the response was complete';
    expect(await deliver(socket => socket.once('data', () => socket.destroy()))).toBe(broken);
    expect(await deliver(socket => socket.once('data', () => socket.resetAndDestroy()))).toBe(broken);
    expect(await deliver(socket => socket.once('data', () => socket.end('SSH-2.0\r\n\r\n')))).toBe(
      'The response is not valid HTTP',
    );
    const short = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\na';
    expect(await deliver(socket => socket.once('data', () => socket.end(short)))).toBe(broken);
  });

  it('names an unknown host', async () => {
    const failingLookup = (code: string) => () => Promise.reject(Object.assign(new Error('asked 10.0.0.2'), { code }));
    const request = { ...requestTo({ port: 80 }), url: 'http://shop.test/' };
    const messageFor = async (lookup: () => Promise<never[]>) =>
      (await failure(sandboxSender({ lookup }).send(request))).message;
    expect(await messageFor(failingLookup('ENOTFOUND'))).toBe('The host name does not exist');
    expect(await messageFor(() => Promise.resolve([]))).toBe('The host name does not exist');
    expect(await messageFor(failingLookup('EAI_AGAIN'))).toBe('The host name could not be resolved');
    expect(await messageFor(failingLookup('EWHATEVER'))).toBe('The request could not be sent');
  });
});
