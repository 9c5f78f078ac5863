/** Deliveries in production. Connections to any address are redirected to a receiver on this machine. */
import tls, { type ConnectionOptions } from 'node:tls';
import type { Lookup } from '../../../src/platform/sending/dnsLookup';
import { createSelfSigned } from '../../harness/webhooks/certificate';
import { Receiver } from '../../harness/webhooks/receiver';
import { failure, testSender } from '../../harness/webhooks/sender';

const certificate = createSelfSigned('shop.test');
let receiver: Receiver;
let plainReceiver: Receiver;
/** The target addresses of the connections. */
let connectedTo: string[] = [];
/** The trusted certificate authority. */
let trustedAuthority: string | undefined;

beforeAll(async () => {
  receiver = await Receiver.startSecure(certificate);
  plainReceiver = await Receiver.start();
  const connect = tls.connect;
  jest.spyOn(tls, 'connect').mockImplementation(((options: ConnectionOptions) => {
    const lookup: ConnectionOptions['lookup'] = (host, lookupOptions, callback) =>
      options.lookup?.(host, { ...lookupOptions, all: true }, (error, addresses) => {
        if (error || !Array.isArray(addresses)) return callback(error, '');
        connectedTo.push(...addresses.map(({ address }) => address));
        callback(null, lookupOptions.all ? [{ address: '127.0.0.1', family: 4 }] : '127.0.0.1', 4);
      });
    return connect({ ...options, lookup, ...(trustedAuthority ? { ca: trustedAuthority } : {}) });
  }) as typeof tls.connect);
});
beforeEach(() => {
  connectedTo = [];
  trustedAuthority = certificate.cert;
  receiver.received.length = 0;
});

const productionSender = (lookup?: Lookup) => testSender({ strict: true, ...(lookup ? { lookup } : {}) });
/** Resolves to the first list of addresses at the first lookup, to the second at the next, and so on. */
const lookupOf = (...answers: string[][]): Lookup => {
  let lookups = 0;
  return async () =>
    (answers[Math.min(lookups++, answers.length - 1)] ?? []).map(address => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
};
const requestTo = (host = 'shop.test') => ({
  ownerId: 'w1',
  url: `https://${host}:${receiver.port}/hook`,
  headers: {},
  body: '{}',
});
const INTERNAL = 'The host name resolves to an address that is not on the public internet';

it('a public host receives its delivery, with its name in the Host header', async () => {
  const lookup = lookupOf(['8.8.8.8', '2606:4700:4700::1111']);
  expect(await productionSender(lookup).send(requestTo())).toMatchObject({ status: 200, answer: 'ok' });
  expect(connectedTo).toEqual(['8.8.8.8', '2606:4700:4700::1111']);
  expect(receiver.received).toMatchObject([{ line: 'POST /hook', headers: { host: `shop.test:${receiver.port}` } }]);
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
])('a name that resolves to %j is refused, and the message does not reveal the addresses', async addresses => {
  const failed = await failure(productionSender(lookupOf(addresses)).send(requestTo()));
  expect(failed.message).toBe(INTERNAL);
  expect(connectedTo).toEqual([]);
});

it('every connection uses the verified address, even if the name resolves to an internal address later', async () => {
  const sender = productionSender(lookupOf(['8.8.8.8'], ['127.0.0.1']));
  const closing = await Receiver.startSecure(certificate, response => response.setHeader('connection', 'close').end());
  const request = { ...requestTo(), url: `https://shop.test:${closing.port}/` };
  for (let round = 0; round < 3; round++)
    await Promise.all([sender.send(request), sender.send(request), sender.send(request)]);
  expect(connectedTo).toHaveLength(9);
  expect(new Set(connectedTo)).toEqual(new Set(['8.8.8.8']));
});

it('a name that resolves to an internal address later is refused at the next lookup', async () => {
  const lookup = lookupOf(['8.8.8.8'], ['127.0.0.1']);
  await productionSender(lookup).send(requestTo());
  expect((await failure(productionSender(lookup).send(requestTo()))).message).toBe(INTERNAL);
});

it('the result of a real lookup is verified as well', async () => {
  const failed = await failure(productionSender().send(requestTo('localhost.')));
  expect(failed.message).toBe('The address must be on the public internet');
  const lookup: Lookup = () => import('node:dns').then(({ promises }) => promises.lookup('localhost', { all: true }));
  expect((await failure(productionSender(lookup).send(requestTo()))).message).toBe(INTERNAL);
});

it.each(['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::1]', '[::ffff:7f00:1]'])(
  '%s is refused',
  async host => {
    const failed = await failure(productionSender().send(requestTo(host)));
    expect(failed.message).toBe('The address must be on the public internet');
    expect(receiver.received).toEqual([]);
  },
);

it('plain http is refused', async () => {
  const sender = productionSender(lookupOf(['8.8.8.8']));
  const failed = await failure(sender.send({ ...requestTo(), url: `http://shop.test:${plainReceiver.port}/` }));
  expect(failed.message).toBe('The address must be an https URL');
  expect(plainReceiver.connections).toBe(0);
});

it.each(['0', '1'])('a self-signed certificate is refused (NODE_TLS_REJECT_UNAUTHORIZED=%s)', async value => {
  trustedAuthority = undefined;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = value;
  const failed = await failure(productionSender(lookupOf(['8.8.8.8'])).send(requestTo())).finally(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  });
  expect(failed.message).toBe('The certificate of the host is not signed by a trusted authority');
  expect(receiver.received).toEqual([]);
});

it('a certificate for another name is refused', async () => {
  const failed = await failure(productionSender(lookupOf(['8.8.8.8'])).send(requestTo('other.test')));
  expect(failed.message).toBe('The certificate of the host is for another name');
  expect(receiver.received).toEqual([]);
});

it('a server without TLS receives nothing', async () => {
  const sender = productionSender(lookupOf(['8.8.8.8']));
  const failed = await failure(sender.send({ ...requestTo(), url: `https://shop.test:${plainReceiver.port}/` }));
  expect(failed.message).toBe('The TLS handshake failed');
  expect(plainReceiver.received).toEqual([]);
});
