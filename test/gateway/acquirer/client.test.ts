import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { HttpAcquirer } from '../../../src/gateway/acquirer/client';
import { errorsByResponseCode } from '../../../src/gateway/acquirer/codes';
import { NoAnswerError } from '../../../src/gateway/acquirer/port';
import { freePort } from '../../../src/local/savedPorts';
import type { Log } from '../../../src/platform/log';
import { seal } from '../../../src/platform/vault/seal';
import { canary } from '../../harness/cards/canaries';
import { ORDINARY_CHARGE } from '../../harness/cards/testCards';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { freezeClock } from '../../harness/flow/frozenClock';
import { until } from '../../harness/flow/until';
import { testAcquirer } from '../../harness/servers/acquirer';
import { vault } from '../../harness/world/secrets';

const simulated = testAcquirer();
const log = pino({ level: 'silent' });
/** The default timeout exceeds any test, because requests must not time out on a busy machine. */
const connect = (url: string, options: { timeoutMs?: number; log?: Log } = {}): HttpAcquirer => {
  const client = new HttpAcquirer({
    url,
    key: simulated.credentials().key,
    vault,
    log,
    timeoutMs: 600_000,
    ...options,
  });
  // Not awaited: requests in flight end with their server, which was started earlier.
  atTheEnd(() => void client.close());
  return client;
};

const card = (number: string = canary.visa, id = 'k1', merchant_id = 'm1') => ({
  id,
  merchant_id,
  holder_name: 'María',
  expiration_month: '12',
  expiration_year: '39',
  number_sealed: seal(vault, number, { what: 'number', merchant_id, id }),
  cvv2_sealed: seal(vault, canary.cvv2, { what: 'cvv2', merchant_id, id }),
});

/** An acquirer that handles requests with the listener. */
async function startServer(listener: RequestListener, port = 0): Promise<{ server: Server; url: string }> {
  const server = createHttpServer(listener).listen(port, '127.0.0.1');
  atTheEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
const connectTo = async (listener: RequestListener, options?: Parameters<typeof connect>[1]): Promise<HttpAcquirer> =>
  connect((await startServer(listener)).url, options);
/** A timeout for an acquirer that does not respond. */
const SHORT = { timeoutMs: 300 };

describe('the client of the acquirer', () => {
  it('decrypts the card and sends the acquirer the required data', async () => {
    let received: unknown;
    const client = await connectTo((request, response) => {
      const chunks: Buffer[] = [];
      request
        .on('data', chunk => chunks.push(chunk))
        .on('end', () => {
          received = {
            url: request.url,
            authorization: request.headers.authorization,
            ...JSON.parse(Buffer.concat(chunks).toString()),
          };
          response.end('{"response":"00","authorization":"123456"}');
        });
    });
    expect(await client.charge('key', card(), 100n, ORDINARY_CHARGE)).toEqual({
      approved: true,
      authorization: '123456',
    });
    expect(received).toEqual({
      url: '/charge',
      authorization: `Bearer ${simulated.credentials().key}`,
      key: 'key',
      ...ORDINARY_CHARGE,
      amount: 100,
      card: {
        reference: 'k1',
        holder_name: 'María',
        expiration_month: '12',
        expiration_year: '39',
        number: canary.visa,
        cvv2: canary.cvv2,
      },
    });
  });

  it('charges, authorizes, captures, refunds, reverses and looks up transactions', async () => {
    const client = connect(simulated.credentials().url);
    const approved = { approved: true, authorization: expect.any(String) };
    expect(await client.verify('v', card())).toEqual(approved);
    expect(await client.charge('c', card(), 500n, ORDINARY_CHARGE)).toEqual(approved);
    expect(await client.refund('r', 'c', 200n)).toEqual(approved);
    expect(await client.refund('r2', 'c', 301n)).toEqual({ approved: false, kind: 'not_allowed' });
    expect(await client.authorize('a', card(), 500n, ORDINARY_CHARGE)).toEqual(approved);
    expect(await client.capture('p', 'a', 400n)).toEqual(approved);
    expect(await client.find('c')).toMatchObject({ known: true, reversed: false, answer: approved });
    expect(await client.find('never')).toEqual({ known: false });
    await client.reverse('never');
    expect(await client.charge('never', card(), 500n, ORDINARY_CHARGE)).toEqual({
      approved: false,
      kind: 'not_allowed',
    });
    expect(simulated.journal().map(({ operation, outcome }) => `${operation} ${outcome}`)).toEqual([
      'verify approved',
      'charge approved',
      'refund approved',
      'refund 3006',
      'authorize approved',
      'capture approved',
      'reverse approved',
    ]);
  });

  it.each(Object.entries(errorsByResponseCode))('maps the response code %s to %s', async (response, kind) => {
    const client = await connectTo((_, reply) => reply.end(JSON.stringify({ response })));
    expect(await client.verify('v', card())).toEqual({ approved: false, kind });
  });

  it.each<[string, RequestListener, options?: { timeoutMs?: number }]>([
    ['HTML', (_, reply) => reply.end('<html>')],
    ['an empty response', (_, reply) => reply.end()],
    ['a JSON list', (_, reply) => reply.end('[]')],
    ['an unknown response code', (_, reply) => reply.end('{"response":"77"}')],
    ['a response code that is a property name of every object', (_, reply) => reply.end('{"response":"constructor"}')],
    ['an approval without an authorization code', (_, reply) => reply.end('{"response":"00"}')],
    ['status 500', (_, reply) => reply.writeHead(500).end('{"response":"00","authorization":"1"}')],
    ['a response of a megabyte', (_, reply) => reply.end('x'.repeat(1_000_000))],
    ['a missing response', () => undefined, SHORT],
    [
      'a truncated response',
      (_, reply) => {
        reply.writeHead(200, { 'content-length': '100' });
        reply.write('{"response":"00"');
        setTimeout(() => reply.destroy(), 20);
      },
    ],
    ['a closed connection', request => request.socket.destroy()],
  ])('treats %s as a missing response', async (_, listener, options = {}) => {
    const client = await connectTo(listener, options);
    await expect(client.charge('c', card(), 1n, ORDINARY_CHARGE)).rejects.toMatchObject({ mayHaveArrived: true });
    await expect(client.charge('c', card(), 1n, ORDINARY_CHARGE)).rejects.toBeInstanceOf(NoAnswerError);
  });

  it('retries once after a broken connection, but not after a timeout', async () => {
    let requests = 0;
    const broken = await connectTo((request, reply) => {
      requests += 1;
      if (requests === 1) request.socket.destroy();
      else reply.end('{"response":"00","authorization":"1"}');
    });
    expect(await broken.charge('c', card(), 1n, ORDINARY_CHARGE)).toEqual({ approved: true, authorization: '1' });
    expect(requests).toBe(2);
    let unanswered = 0;
    const unresponsive = await connectTo(() => void unanswered++, SHORT);
    await expect(unresponsive.charge('c', card(), 1n, ORDINARY_CHARGE)).rejects.toBeInstanceOf(NoAnswerError);
    // A busy machine may time out before the request is sent, so there may be none.
    expect(unanswered).toBeLessThanOrEqual(1);
  });

  it('reports that the request may have arrived if the first attempt may have, even if the retry could not connect', async () => {
    const { server, url } = await startServer(request => {
      request.socket.destroy();
      server.close();
      server.closeAllConnections();
    });
    const client = connect(url);
    await expect(client.charge('c', card(), 1n, ORDINARY_CHARGE)).rejects.toMatchObject({ mayHaveArrived: true });
  });

  it('applies one timeout to both attempts, and does not log card numbers in responses', async () => {
    // The timeout expires as soon as the second attempt has arrived, on a machine of any speed.
    const over = new AbortController();
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(over.signal);
    atTheEnd(() => timeout.mockRestore());
    let requests = 0;
    const slow = await connectTo(request => {
      requests += 1;
      if (requests === 1) request.socket.destroy();
    });
    const charged = slow.charge('c', card(), 1n, ORDINARY_CHARGE).catch(error => error);
    await until(() => requests === 2);
    over.abort();
    expect(await charged).toBeInstanceOf(NoAnswerError);
    expect([requests, timeout.mock.calls]).toEqual([2, [[600_000]]]);
    timeout.mockRestore();
    const lines: string[] = [];
    const capturingLog = pino({ level: 'debug' }, { write: line => void lines.push(line) });
    const client = await connectTo((_, reply) => reply.end(`{"response":"${canary.visa}"}`), { log: capturingLog });
    await expect(client.verify('v', card())).rejects.toBeInstanceOf(NoAnswerError);
    expect(lines.join('')).toContain('unexpected answer');
    expect(lines.join('')).not.toContain(canary.visa);
  });

  it('accepts only a well-formed response as proof that an operation is unknown or reversed', async () => {
    const client = await connectTo((_, reply) => reply.writeHead(404).end('<html>'));
    await expect(client.find('c')).rejects.toBeInstanceOf(NoAnswerError);
    const withoutConfirmation = await connectTo((_, reply) => reply.end('{"error":"could not"}'));
    await expect(withoutConfirmation.reverse('c')).rejects.toBeInstanceOf(NoAnswerError);
  });

  it('reports a refused connection as not arrived, fails fast after several failures, and recovers by itself', async () => {
    const moveClock = freezeClock();
    const port = await freePort();
    const client = connect(`http://127.0.0.1:${port}`);
    for (let i = 0; i < 5; i++)
      await expect(client.verify('v', card())).rejects.toMatchObject({ mayHaveArrived: false });
    let connections = 0;
    const { server } = await startServer((_, reply) => reply.end('{"response":"00","authorization":"1"}'), port);
    server.on('connection', () => connections++);
    moveClock(499);
    await expect(client.verify('v', card())).rejects.toMatchObject({
      mayHaveArrived: false,
      message: 'circuit breaker open',
    });
    expect(connections).toBe(0);
    moveClock(1);
    expect(await client.verify('v', card())).toEqual({ approved: true, authorization: '1' });
  });
});
