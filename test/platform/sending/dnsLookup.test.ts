/** Host names resolved by a name server that the test controls. */
import { createSocket, type Socket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import type { AddressInfo } from 'node:net';
import { lookUp, lookUpAt as lookUpWith } from '../../../src/platform/sending/dnsLookup';

const lookUpAt = (servers: dns.Resolver, host: string) => lookUpWith(servers, host, dns.lookup);

type Answer = 'no reply' | 'no such name' | 'server failure' | { 4?: number[]; 6?: number[] };

let socket: Socket;
let answer: Answer;
let queryCount: number;
let servers: dns.Resolver;
/** A short timeout, for a name server that does not respond. */
let impatient: dns.Resolver;

beforeEach(async () => {
  queryCount = 0;
  socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    queryCount += 1;
    const reply = replyTo(query);
    if (reply) socket.send(reply, from.port, from.address);
  });
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve));
  servers = new dns.Resolver({ timeout: 60_000, tries: 1 });
  impatient = new dns.Resolver({ timeout: 200, tries: 1 });
  for (const resolver of [servers, impatient])
    resolver.setServers([`127.0.0.1:${(socket.address() as AddressInfo).port}`]);
});
afterEach(() => new Promise<void>(resolve => void socket.close(resolve)));

/** As in RFC 1035: the question, and answers that refer to its name. */
function replyTo(query: Buffer): Buffer | undefined {
  if (answer === 'no reply') return;
  const end = query.indexOf(0, 12) + 5;
  const type = query.readUInt16BE(end - 4);
  const code = answer === 'no such name' ? 3 : answer === 'server failure' ? 2 : 0;
  const bytes = typeof answer === 'object' ? answer[type === 1 ? 4 : 6] : undefined;
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(bytes ? 1 : 0, 6);
  header.writeUInt16BE(0, 10);
  const record = bytes ? [Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes])] : [];
  return Buffer.concat([header, query.subarray(12, end), ...record]);
}

it('a name resolves to all its IPv4 and IPv6 addresses', async () => {
  answer = { 4: [192, 0, 2, 7], 6: [0x20, 1, 0xd, 0xb8, ...Array(11).fill(0), 7] };
  expect(await lookUpAt(servers, 'shop.example')).toEqual([
    { address: '192.0.2.7', family: 4 },
    { address: '2001:db8::7', family: 6 },
  ]);
  answer = { 4: [192, 0, 2, 8] };
  expect(await lookUpAt(servers, 'shop.example')).toEqual([{ address: '192.0.2.8', family: 4 }]);
});

it.each(['no reply', 'server failure'] as const)(
  'a name server with %s causes EAI_AGAIN, and delays no other lookup',
  async outcome => {
    answer = outcome;
    const failing = Array.from({ length: 8 }, (_, i) =>
      lookUpAt(impatient, `shop-${i}.example`).catch(({ code }) => code),
    );
    await expect(lookUp('localhost')).resolves.not.toEqual([]);
    expect(await Promise.all(failing)).toEqual(Array(8).fill('EAI_AGAIN'));
  },
);

it('an unknown name causes ENOTFOUND', async () => {
  answer = 'no such name';
  await expect(lookUpAt(servers, 'shop.invalid')).rejects.toMatchObject({
    code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/),
  });
  expect(queryCount).toBe(2);
});

it('a name without a dot is resolved only by the machine itself', async () => {
  answer = { 4: [192, 0, 2, 7] };
  expect((await lookUpAt(servers, 'localhost'))[0]?.address).toMatch(/^(127\.0\.0\.1|::1)$/);
  expect(queryCount).toBe(0);
});
