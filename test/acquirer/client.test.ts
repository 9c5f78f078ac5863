import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import pino from 'pino';
import { HttpAcquirer } from '../../src/acquirer/client';
import { errorsByResponseCode } from '../../src/acquirer/codes';
import { NoAnswerError } from '../../src/acquirer/port';
import { freePort } from '../../src/embedded/savedPorts';
import { CircuitBreaker } from '../../src/platform/circuitBreaker';
import { seal } from '../../src/vault/seal';
import { canary } from '../harness/cards/canaries';
import { testAcquirer } from '../harness/servers/acquirer';
import { vault } from '../harness/servers/secrets';

const simulated = testAcquirer();
const log = pino({ level: 'silent' });
const clients: HttpAcquirer[] = [];
const connect = (url: string, key = simulated.credentials().key, timeoutMs = 500): HttpAcquirer => {
  const client = new HttpAcquirer({ url, key, vault, log, timeoutMs });
  clients.push(client);
  return client;
};
const servers: { close(): unknown }[] = [];
afterAll(async () => {
  await Promise.all(clients.map(client => client.close()));
  for (const server of servers) server.close();
});

const card = (number: string = canary.visa, id = 'k1') => ({
  id,
  holder_name: 'María',
  expiration_month: '12',
  expiration_year: '39',
  number_sealed: seal(vault, number, `number ${id}`),
  cvv2_sealed: seal(vault, canary.cvv2, `cvv2 ${id}`),
});

/** A client of an acquirer that handles requests with the listener. */
async function connectTo(listener: RequestListener): Promise<HttpAcquirer> {
  const server: Server = createHttpServer(listener);
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

describe('the client of the acquirer', () => {
  it('opens the vault and sends the acquirer what it needs', async () => {
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
    expect(await client.charge('key', card(), 100n)).toEqual({ approved: true, authorization: '123456' });
    expect(received).toEqual({
      url: '/charge',
      authorization: `Bearer ${simulated.credentials().key}`,
      key: 'key',
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

  it('charges, authorizes, captures, refunds, reverses and finds', async () => {
    const client = connect(simulated.credentials().url);
    const approved = { approved: true, authorization: expect.any(String) };
    expect(await client.verify('v', card())).toEqual(approved);
    expect(await client.charge('c', card(), 500n)).toEqual(approved);
    expect(await client.refund('r', 'c', 200n)).toEqual(approved);
    expect(await client.refund('r2', 'c', 301n)).toEqual({ approved: false, kind: 'not_allowed' });
    expect(await client.authorize('a', card(), 500n)).toEqual(approved);
    expect(await client.capture('p', 'a', 400n)).toEqual(approved);
    expect(await client.find('c')).toMatchObject({ known: true, reversed: false, answer: approved });
    expect(await client.find('never')).toEqual({ known: false });
    await client.reverse('never');
    expect(await client.charge('never', card(), 500n)).toEqual({ approved: false, kind: 'not_allowed' });
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

  it.each(Object.entries(errorsByResponseCode))('understands the response %s as %s', async (response, kind) => {
    const client = await connectTo((_, reply) => reply.end(JSON.stringify({ response })));
    expect(await client.verify('v', card())).toEqual({ approved: false, kind });
  });

  it.each<[string, RequestListener]>([
    ['HTML', (_, reply) => reply.end('<html>')],
    ['an empty answer', (_, reply) => reply.end()],
    ['a list', (_, reply) => reply.end('[]')],
    ['an unknown response code', (_, reply) => reply.end('{"response":"77"}')],
    ['a response code that is a property of every object', (_, reply) => reply.end('{"response":"constructor"}')],
    ['an approval without its code', (_, reply) => reply.end('{"response":"00"}')],
    ['status 500', (_, reply) => reply.writeHead(500).end('{"response":"00","authorization":"1"}')],
    ['an answer of a megabyte', (_, reply) => reply.end('x'.repeat(1_000_000))],
    ['a request without an answer', () => undefined],
    [
      'half an answer',
      (_, reply) => {
        reply.writeHead(200, { 'content-length': '100' });
        reply.write('{"response":"00"');
        setTimeout(() => reply.destroy(), 20);
      },
    ],
    ['a closed connection', request => request.socket.destroy()],
  ])('treats %s as no answer', async (_, listener) => {
    const client = await connectTo(listener);
    await expect(client.charge('c', card(), 1n)).rejects.toMatchObject({ mayHaveArrived: true });
    await expect(client.charge('c', card(), 1n)).rejects.toBeInstanceOf(NoAnswerError);
  });

  it('retries once after a broken connection, and not after a timeout', async () => {
    let requests = 0;
    const broken = await connectTo((request, reply) => {
      requests += 1;
      if (requests === 1) request.socket.destroy();
      else reply.end('{"response":"00","authorization":"1"}');
    });
    expect(await broken.charge('c', card(), 1n)).toEqual({ approved: true, authorization: '1' });
    expect(requests).toBe(2);
    let unansweredRequests = 0;
    const unresponsive = await connectTo(() => {
      unansweredRequests += 1;
    });
    await expect(unresponsive.charge('c', card(), 1n)).rejects.toBeInstanceOf(NoAnswerError);
    expect(unansweredRequests).toBe(1);
  });

  it('reports that the request may have arrived if the first attempt may have, even if the retry found no server', async () => {
    const server = createHttpServer(request => {
      request.socket.destroy();
      server.close();
      server.closeAllConnections();
    }).listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await expect(client.charge('c', card(), 1n)).rejects.toMatchObject({ mayHaveArrived: true });
  });

  it('applies one timeout to both attempts, and does not log card numbers that an acquirer answers', async () => {
    let requests = 0;
    const slow = await connectTo(request => {
      requests += 1;
      if (requests === 1) setTimeout(() => request.socket.destroy(), 300);
    });
    const start = Date.now();
    await expect(slow.charge('c', card(), 1n)).rejects.toBeInstanceOf(NoAnswerError);
    expect([requests, Date.now() - start < 800]).toEqual([2, true]);
    const lines: string[] = [];
    const capturingLog = pino({ level: 'debug' }, { write: line => void lines.push(line) });
    const leakingServer = createHttpServer((_, reply) => reply.end(`{"response":"${canary.visa}"}`)).listen(
      0,
      '127.0.0.1',
    );
    servers.push(leakingServer);
    await new Promise(resolve => leakingServer.once('listening', resolve));
    const url = `http://127.0.0.1:${(leakingServer.address() as AddressInfo).port}`;
    const client = new HttpAcquirer({ url, key: 'x', vault, log: capturingLog, timeoutMs: 500 });
    clients.push(client);
    await expect(client.verify('v', card())).rejects.toBeInstanceOf(NoAnswerError);
    expect(lines.join('')).toContain('none of the agreed ones');
    expect(lines.join('')).not.toContain(canary.visa);
  });

  it('accepts that an operation is unknown or reversed only from a well-formed answer', async () => {
    const client = await connectTo((_, reply) => reply.writeHead(404).end('<html>'));
    await expect(client.find('c')).rejects.toBeInstanceOf(NoAnswerError);
    const withoutConfirmation = await connectTo((_, reply) => reply.end('{"error":"could not"}'));
    await expect(withoutConfirmation.reverse('c')).rejects.toBeInstanceOf(NoAnswerError);
  });

  it('reports that it cannot have arrived for a refused connection, fails fast after several failures, and recovers by itself', async () => {
    const port = await freePort();
    const client = connect(`http://127.0.0.1:${port}`);
    for (let i = 0; i < 5; i++)
      await expect(client.verify('v', card())).rejects.toMatchObject({ mayHaveArrived: false });
    let connections = 0;
    const tcpServer = createTcpServer(socket => {
      connections += 1;
      socket.destroy();
    }).listen(port, '127.0.0.1');
    await expect(client.verify('v', card())).rejects.toMatchObject({
      mayHaveArrived: false,
      message: 'the acquirer is away',
    });
    expect(connections).toBe(0);
    await new Promise(resolve => tcpServer.close(resolve));
    const workingServer = createHttpServer((_, reply) => reply.end('{"response":"00","authorization":"1"}')).listen(
      port,
      '127.0.0.1',
    );
    servers.push(workingServer);
    const deadline = Date.now() + 10_000;
    let outcome: unknown;
    while (!outcome && Date.now() < deadline) outcome = await client.verify('v', card()).catch(() => undefined);
    expect(outcome).toEqual({ approved: true, authorization: '1' });
  });
});

describe('the circuit breaker', () => {
  it('opens after five failures in a row, lets one request through after each delay, and closes with the first answer', () => {
    const breaker = new CircuitBreaker();
    for (let i = 0; i < 4; i++) breaker.recordFailure(0);
    breaker.recordSuccess();
    for (let i = 0; i < 5; i++) {
      expect(breaker.allowsRequest(0)).toBe(true);
      breaker.recordFailure(0);
    }
    expect([breaker.allowsRequest(499), breaker.allowsRequest(500), breaker.allowsRequest(501)]).toEqual([
      false,
      true,
      false,
    ]);
    breaker.recordFailure(600);
    // The delay starts when the request that was let through has failed.
    expect([breaker.allowsRequest(1599), breaker.allowsRequest(1600), breaker.allowsRequest(1601)]).toEqual([
      false,
      true,
      false,
    ]);
    breaker.recordSuccess();
    expect([breaker.allowsRequest(1502), breaker.allowsRequest(1502)]).toEqual([true, true]);
  });
});
