/** Addresses and networks as operators name them, and which hosts count as this machine. */
import { isIP } from 'node:net';
import { type IPv4, IPv6, parse } from 'ipaddr.js';

/** Shorter prefixes hold a good part of the internet. Private networks of IPv6 begin with seven bits. */
const MIN_PREFIX_BITS = { ipv4: 8, ipv6: 16, privateIpv6: 7 };
/** All of IPv4, as it is written in IPv6. */
const MAPPED_IPV4 = IPv6.parse('::ffff:0:0');
const MAPPED_PREFIX_BITS = 96;

type Network = [IPv4 | IPv6, number];

/** Undefined for anything but an address with or without a prefix length. An IPv4 network written as IPv6 is IPv4. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', prefix, ...extras] = text.split('/');
  if (!isIP(address) || extras.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) return undefined;
  const written = parse(address);
  const maxBits = written.kind() === 'ipv4' ? 32 : 128;
  const bits = Number(prefix ?? maxBits);
  if (bits > maxBits) return undefined;
  const isMapped = 'isIPv4MappedAddress' in written && written.isIPv4MappedAddress() && bits >= MAPPED_PREFIX_BITS;
  return isMapped ? [written.toIPv4Address(), bits - MAPPED_PREFIX_BITS] : [written, bits];
}

export function isTooWide([address, bits]: Network): boolean {
  if (address.kind() === 'ipv4') return bits < MIN_PREFIX_BITS.ipv4;
  if (MAPPED_IPV4.match(address as IPv6, bits)) return true;
  return bits < (address.range() === 'uniqueLocal' ? MIN_PREFIX_BITS.privateIpv6 : MIN_PREFIX_BITS.ipv6);
}

const LOOPBACK = ['localhost', '127.0.0.0/8', '::1'];

/**
 * Whether what is sent to this host stays on this machine, or among `privateNetworks`, which count as this machine. A
 * name counts if it is itself listed: what it resolves to may change at any time.
 */
export function isThisMachine(host: string, privateNetworks: readonly string[] = []): boolean {
  if (host.startsWith('/')) return true; // a socket in the file system
  const places = [...LOOPBACK, ...privateNetworks];
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return parseNetwork(bare) ? isWithinOne(bare, places) : places.includes(bare);
}

/** Without networks, any address is. */
export const isWithin = (address: string, networks: readonly string[]): boolean =>
  networks.length === 0 || isWithinOne(address, networks);

function isWithinOne(text: string, networks: readonly string[]): boolean {
  const [address] = parseNetwork(text) ?? [];
  return networks.some(each => {
    const network = parseNetwork(each);
    return address !== undefined && network?.[0].kind() === address.kind() && address.match(network as [IPv4, number]);
  });
}
