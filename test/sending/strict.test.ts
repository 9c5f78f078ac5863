/** Deliveries in production, where the internet is on this machine: what goes to any address of it arrives at a receiver here. */
import tls, { type ConnectionOptions } from 'node:tls';
import type { Lookup } from '../../src/sending/dnsLookup';
import { type DeliveryFailure, Sender } from '../../src/sending/sender';
import { createSelfSigned } from '../harness/webhooks/certificate';
import { Receiver } from '../harness/webhooks/receiver';

const certificate = createSelfSigned('shop.test');
let there: Receiver;
let plain: Receiver;
/** The addresses that connections were made to. */
let called: string[] = [];
/** Whom the world trusts. */
let authority: string | undefined;
const senders: Sender[] = [];

beforeAll(async () => {
  there = await Receiver.startSecure(certificate);
  plain = await Receiver.start();
  const connect = tls.connect;
  jest.spyOn(tls, 'connect').mockImplementation(((options: ConnectionOptions) => {
    const lookup: ConnectionOptions['lookup'] = (host, how, callback) =>
      options.lookup?.(host, { ...how, all: true }, (error, found) => {
        if (error || !Array.isArray(found)) return callback(error, '');
        called.push(...found.map(({ address }) => address));
        callback(null, how.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4);
      });
    return connect({ ...options, lookup, ...(authority ? { ca: authority } : {}) });
  }) as typeof tls.connect);
});
beforeEach(() => {
  called = [];
  authority = certificate.cert;
  there.received.length = 0;
});
afterAll(async () => {
  await Promise.all(senders.map(sender => sender.close()));
  there.close();
  plain.close();
});

const production = (lookup?: Lookup): Sender => {
  const sender = new Sender({ strict: true, timeoutMs: 5000, ...(lookup ? { lookup } : {}) });
  senders.push(sender);
  return sender;
};
/** A name that means these at the first time, those at the second. */
const meaning = (...answers: string[][]): Lookup => {
  let times = 0;
  return async () =>
    (answers[Math.min(times++, answers.length - 1)] ?? []).map(address => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
};
const to = (host = 'shop.test') => ({
  ownerId: 'w1',
  url: `https://${host}:${there.port}/hook`,
  headers: {},
  body: '{}',
});
const failure = (sending: Promise<unknown>): Promise<DeliveryFailure> =>
  sending.then(
    () => Promise.reject(new Error('it was delivered')),
    error => error,
  );
const INWARD = 'The name of the host leads to a place that is not on the public internet';

it('a name on the internet gets its delivery, under its own name', async () => {
  const found = meaning(['8.8.8.8', '2606:4700:4700::1111']);
  expect(await production(found).send(to())).toMatchObject({ status: 200, answer: 'ok' });
  expect(called).toEqual(['8.8.8.8', '2606:4700:4700::1111']);
  expect(there.received).toMatchObject([{ line: 'POST /hook', headers: { host: `shop.test:${there.port}` } }]);
});

it.each([
  [['127.0.0.1']],
  [['10.1.2.3']],
  [['169.254.169.254']],
  [['fd00:ec2::254']],
  [['::1']],
  [['::ffff:127.0.0.1']],
  [['64:ff9b::7f00:1']],
  [['2002:7f00:1::1']],
  [['fe80::1%eth0']],
  [['0.0.0.0']],
  [['8.8.8.8', '127.0.0.1']],
  [['8.8.8.8', '::1', '1.1.1.1']],
])('a name that means %j is not called, and nothing tells what it means', async addresses => {
  const failed = await failure(production(meaning(addresses)).send(to()));
  expect(failed.message).toBe(INWARD);
  expect(called).toEqual([]);
});

it('a name that turns inward after it was checked changes nothing: every connection goes to what was checked', async () => {
  const sender = production(meaning(['8.8.8.8'], ['127.0.0.1']));
  for (let round = 0; round < 3; round++) {
    await Promise.all([sender.send(to()), sender.send(to()), sender.send(to())]);
    for (const socket of there.sockets) socket.destroy();
    while (there.sockets.size > 0) await new Promise(setImmediate);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  expect(called.length).toBeGreaterThanOrEqual(9);
  expect(new Set(called)).toEqual(new Set(['8.8.8.8']));
});

it('a name that turned inward is refused when it is looked up anew', async () => {
  const lookup = meaning(['8.8.8.8'], ['127.0.0.1']);
  await production(lookup).send(to());
  expect((await failure(production(lookup).send(to()))).message).toBe(INWARD);
});

it('the real look-up is checked as well', async () => {
  const failed = await failure(production().send(to('localhost.')));
  expect(failed.message).toBe('The address must be on the public internet');
  const lookup: Lookup = () => import('node:dns').then(({ promises }) => promises.lookup('localhost', { all: true }));
  expect((await failure(production(lookup).send(to()))).message).toBe(INWARD);
});

it.each(['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::1]', '[::ffff:7f00:1]'])(
  '%s is not called',
  async host => {
    const failed = await failure(production().send(to(host)));
    expect(failed.message).toBe('The address must be on the public internet');
    expect(there.received).toEqual([]);
  },
);

it('nothing is sent in clear', async () => {
  const sender = production(meaning(['8.8.8.8']));
  const failed = await failure(sender.send({ ...to(), url: `http://shop.test:${plain.port}/` }));
  expect(failed.message).toBe('The address must be an https address');
  expect(plain.connections).toBe(0);
});

it.each(['0', '1'])(
  'a certificate that nobody else signed is not trusted (NODE_TLS_REJECT_UNAUTHORIZED=%s)',
  async value => {
    authority = undefined;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = value;
    const failed = await failure(production(meaning(['8.8.8.8'])).send(to())).finally(() => {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    });
    expect(failed.message).toBe('The certificate of the host is not signed by an authority that we know');
    expect(there.received).toEqual([]);
  },
);

it('a certificate for another name is not accepted', async () => {
  const failed = await failure(production(meaning(['8.8.8.8'])).send(to('other.test')));
  expect(failed.message).toBe('The certificate of the host is for another name');
  expect(there.received).toEqual([]);
});

it('one that does not speak TLS gets nothing', async () => {
  const sender = production(meaning(['8.8.8.8']));
  const failed = await failure(sender.send({ ...to(), url: `https://shop.test:${plain.port}/` }));
  expect(failed.message).toBe('No secure connection came about');
  expect(plain.received).toEqual([]);
});
