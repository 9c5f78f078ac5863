/** One merchant's traffic to the acquirer does not delay the traffic of other merchants. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { HttpAcquirer } from '../../../src/gateway/acquirer/client';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { freezeClock } from '../../harness/flow/frozenClock';
import { until } from '../../harness/flow/until';
import { vault } from '../../harness/world/secrets';

const answer = (response: ServerResponse): void =>
  void response.setHeader('content-type', 'application/json').end('{"response":"00","authorization":"1"}');

/** An acquirer that never answers a refund whose key begins with `silent`. */
async function startAcquirer(timeoutMs: number) {
  const silent: ServerResponse[] = [];
  const arrived = new Set<string>();
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const { key } = JSON.parse(Buffer.concat(chunks).toString());
    arrived.add(key);
    if (key.startsWith('silent')) silent.push(response);
    else answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const options = { url: `http://127.0.0.1:${port}`, key: 'x'.repeat(32), vault, log: pino({ level: 'silent' }) };
  const acquirer = new HttpAcquirer({ ...options, timeoutMs });
  atTheEnd(() => {
    server.close();
    server.closeAllConnections();
    void acquirer.close();
  });
  const refund = (merchant: string, key: string) => acquirer.forMerchant(merchant).refund(key, 'charge', 100n);
  return { silent, arrived, refund };
}

const SHORT_MS = 300;
const LONG_MS = 600_000;
const outcomeOf = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'answered',
    error => error.message,
  );

it('waiting requests of one merchant leave connections to other merchants', async () => {
  const { silent, refund } = await startAcquirer(LONG_MS);
  const waiting = Array.from({ length: 200 }, (_, i) => outcomeOf(refund('mute', `silent ${i}`)));
  await until(() => silent.length === 50);
  expect(await outcomeOf(refund('other', 'k'))).toBe('answered');
  const next = outcomeOf(refund('mute', 'the last one'));
  expect(silent).toHaveLength(50);
  // After each response the merchant sends its next request, and its last request after all earlier ones.
  for (let answered = 0; answered < 200; answered++) {
    await until(() => silent.length > answered);
    answer(silent[answered] as ServerResponse);
  }
  expect(await next).toBe('answered');
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['answered']));
});

it('the acquirer client reports a request as not arrived only if it was never sent', async () => {
  const { arrived, refund } = await startAcquirer(SHORT_MS);
  const keys = Array.from({ length: 300 }, (_, i) => `silent ${i}`);
  const results = await Promise.allSettled(keys.map(key => refund('mute', key)));
  const notSent = keys.filter((_, i) => {
    const result = results[i];
    return result?.status === 'rejected' && !result.reason.mayHaveArrived;
  });
  expect(notSent.filter(key => arrived.has(key))).toEqual([]);
  expect(arrived.size).toBeLessThan(300);
});

it('missing responses for one merchant do not stop requests of other merchants; for five merchants they do', async () => {
  // The test controls the delays of the circuit breakers and the timeouts of requests.
  freezeClock();
  const timeouts: AbortController[] = [];
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const controller = new AbortController();
    timeouts.push(controller);
    return controller.signal;
  });
  atTheEnd(() => timeout.mockRestore());
  const { silent, refund } = await startAcquirer(LONG_MS);
  const timeOut = async (merchant: string, key: string): Promise<void> => {
    const before = silent.length;
    const outcome = outcomeOf(refund(merchant, key));
    await until(() => silent.length > before);
    timeouts.at(-1)?.abort();
    expect(await outcome).not.toBe('answered');
  };
  for (let i = 0; i < 5; i++) await timeOut('mute', `silent ${i}`);
  expect(await outcomeOf(refund('mute', 'k'))).toBe('circuit breaker open');
  expect(await outcomeOf(refund('other', 'k'))).toBe('answered');
  for (let i = 0; i < 5; i++) await timeOut(`merchant ${i}`, `silent ${i}`);
  expect(await outcomeOf(refund('other', 'k'))).toBe('circuit breaker open');
});
