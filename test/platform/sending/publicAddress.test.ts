import fc from 'fast-check';
import { addressProblem, isPublic } from '../../../src/platform/sending/publicAddress';

/** The IANA registries of special-purpose addresses, and the platform address of Azure. */
const internalNetworks = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4', '192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24', '168.63.129.16/32'],
].map(network => {
  const [start = '', bits] = network.split('/');
  return { start: numberOf(start), size: 2 ** (32 - Number(bits)) };
});
const internalNetworks6 = [
  ...['::/96', '::ffff:0:0:0/96', '64:ff9b:1::/48', '100::/64', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
  ...['4000::/3', '5f00::/16', 'fc00::/7', 'fd00:ec2::/64', 'fe80::/10', 'fec0::/10', 'ff00::/8', '2620:4f:8000::/48'],
];

function numberOf(dotted: string): number {
  return dotted.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}
const octets = (number: number): [number, number, number, number] => [
  number >>> 24,
  (number >>> 16) & 255,
  (number >>> 8) & 255,
  number & 255,
];
const groups = (number: number): string => `${(number >>> 16).toString(16)}:${(number & 0xffff).toString(16)}`;

/** The notations of an IPv4 address in a URL. */
const notations = (number: number): string[] => {
  const [a, b, c, d] = octets(number);
  const octal = (part: number): string => `0${part.toString(8)}`;
  const hex = (part: number): string => `0x${part.toString(16)}`;
  return [
    ...[`${a}.${b}.${c}.${d}`, `${a}.${b}.${c}.${d}.`, `${number}`, hex(number), octal(number)],
    ...[[a, b, c, d].map(octal).join('.'), [a, b, c, d].map(hex).join('.'), `${octal(a)}.${hex(b)}.${c}.${octal(d)}`],
    ...[`${a}.${number & 0xffffff}`, `${a}.${b}.${number & 0xffff}`, `${hex(a)}.${hex(number & 0xffffff)}`],
    ...[[a, b, c, d].map(part => `%3${String(part)[0]}${String(part).slice(1)}`).join('.')],
    ...[
      [a, b, c, d].join('。'),
      `${a}.${b}.${c}.${d}`.replace(/\d/g, digit => String.fromCharCode(0xff10 + Number(digit))),
    ],
  ];
};
/** IPv6 addresses that embed an IPv4 address. */
const mappedAddresses = (number: number): string[] => [
  ...[`::ffff:${octets(number).join('.')}`, `::ffff:${groups(number)}`, `0:0:0:0:0:FFFF:${groups(number)}`],
  ...[`64:ff9b::${groups(number)}`, `64:ff9b::${octets(number).join('.')}`],
];
/** Refused with any embedded IPv4 address. */
const tunnelAddresses = (number: number): string[] => [
  ...[`::${groups(number)}`, `::ffff:0:${groups(number)}`, `64:ff9b:1::${groups(number)}`],
  ...[`2002:${groups(number)}::1`, `2001:0:${groups(number)}::1`, `2001::${groups(~number >>> 0)}`],
];

const anyAddress = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const isInternal = (number: number): boolean =>
  internalNetworks.some(({ start, size }) => number >= start && number < start + size);
const internalAddress = fc
  .constantFrom(...internalNetworks)
  .chain(({ start, size }) => fc.oneof(fc.constantFrom(0, size - 1), fc.nat(size - 1)).map(offset => start + offset));
/** A random address of the internal IPv6 networks. */
const internalAddress6 = fc.constantFrom(...internalNetworks6).chain(network => {
  const [start = '', bits = ''] = network.split('/');
  const [head = '', tail = ''] = start.split('::');
  const [leading, trailing] = [head.split(':').filter(Boolean), tail.split(':').filter(Boolean)];
  const allGroups = [...leading, ...Array(8 - leading.length - trailing.length).fill('0'), ...trailing];
  const first = BigInt(`0x${allGroups.map(group => group.padStart(4, '0')).join('')}`);
  return fc.bigInt({ min: 0n, max: 2n ** BigInt(128 - Number(bits)) - 1n }).map(offset => {
    const digits = (first + offset).toString(16).padStart(32, '0');
    return (digits.match(/.{4}/g) ?? []).join(':');
  });
});

const REFUSED = 'url_not_public';
const refusal = (host: string): string | undefined => addressProblem(`https://${host}/hook`, true);

describe('in production', () => {
  it('internal IPv4 addresses are refused in every notation', () => {
    fc.assert(
      fc.property(internalAddress, number => {
        const hosts = [...notations(number), ...mappedAddresses(number).map(mapped => `[${mapped}]`)];
        expect(hosts.filter(host => refusal(host) !== REFUSED)).toEqual([]);
        expect([octets(number).join('.'), ...mappedAddresses(number)].filter(isPublic)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it('all other IPv4 addresses are accepted in every notation', () => {
    fc.assert(
      fc.property(anyAddress, number => {
        const refused = isInternal(number);
        expect(notations(number).filter(notation => !!refusal(notation) !== refused)).toEqual([]);
        expect(mappedAddresses(number).filter(mapped => isPublic(mapped) === refused)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it('tunnel addresses are refused, wherever they lead', () => {
    fc.assert(
      fc.property(anyAddress, number => {
        expect(
          tunnelAddresses(number).filter(tunnel => isPublic(tunnel) || refusal(`[${tunnel}]`) !== REFUSED),
        ).toEqual([]);
      }),
    );
  });

  it('internal IPv6 addresses are refused', () => {
    fc.assert(
      fc.property(internalAddress6, address => {
        expect([address, isPublic(address), refusal(`[${address}]`)]).toEqual([address, false, REFUSED]);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['2130706433', '0177.0.0.1', '0x7f.1', '127.1', '127.0.0.1.', '[::1]', '[::]', '0', '169.254.169.254'])(
    '%s is refused',
    host => expect(refusal(host)).toBe(REFUSED),
  );

  it.each(['[fd00:ec2::254]', '[::ffff:169.254.169.254]', 'localhost', 'LOCALHOST.', 'a.localhost', '①②⑦.⓪.⓪.①'])(
    '%s is refused',
    host => expect(refusal(host)).toBe(REFUSED),
  );

  it.each([
    'example.com',
    'example.com:8443',
    '8.8.8.8',
    '[2606:4700:4700::1111]',
    'localhost.example.com',
    'ñandú.co',
  ])('%s is accepted', host => expect(refusal(host)).toBeUndefined());

  it('text that is no IP address is never public', () => {
    for (const text of ['', 'example.com', '127.1', '8.8.8.8/8', '1.2.3', '2130706433', 'fe80::1%eth0', '::1%lo'])
      expect(isPublic(text)).toBe(false);
  });

  it('only https is accepted', () => {
    expect(addressProblem('http://example.com/', true)).toBe('not_https_address');
  });
});

describe('in the sandbox', () => {
  it.each(['http://localhost:3000/hook', 'http://127.0.0.1/', 'http://[::1]:8080/', 'https://10.0.0.1/?a=b#c'])(
    '%s is accepted',
    url => expect(addressProblem(url, false)).toBeUndefined(),
  );
});

describe.each([true, false])('strict or not (%s)', strict => {
  it.each(['ftp://example.com/', 'file:///etc/passwd', 'javascript:alert(1)', 'data:,x', '', '/hook', 'example.com'])(
    '%s is refused',
    url => expect(addressProblem(url, strict)).toMatch(/^not_(web|https)_address$/),
  );

  it('a user or a password in the URL is refused', () => {
    for (const url of ['https://u@example.com/', 'https://u:p@example.com/', 'https://:p@example.com/'])
      expect(addressProblem(url, strict)).toBe('url_credentials');
  });

  it('a URL has at most 2,048 characters, also after percent-encoding', () => {
    const start = 'https://example.com/';
    expect(addressProblem(start.padEnd(2048, 'a'), strict)).toBeUndefined();
    expect(addressProblem(start.padEnd(2049, 'a'), strict)).toBe('url_too_long');
    expect(addressProblem(start.padEnd(1000, 'ñ'), strict)).toBe('url_too_long');
  });
});
