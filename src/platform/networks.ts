import { isIP } from 'node:net';
import { type IPv4, IPv6, parse } from 'ipaddr.js';

/** Shorter prefixes cover too much of the internet. Private IPv6 networks begin with seven bits. */
const MIN_PREFIX_BITS = { ipv4: 8, ipv6: 16, privateIpv6: 7 };
/** The IPv4-mapped range of IPv6. */
const MAPPED_IPV4 = IPv6.parse('::ffff:0:0');
const MAPPED_PREFIX_BITS = 96;

type Network = [IPv4 | IPv6, number];

/** Accepts an address with or without a prefix length; otherwise returns undefined. IPv4-mapped networks become IPv4. */
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
 * Whether traffic to this host stays on this machine or within `privateNetworks`. A host name counts only if it is
 * listed itself, because the addresses that it resolves to may change.
 */
export function isThisMachine(host: string, privateNetworks: readonly string[] = []): boolean {
  if (host.startsWith('/')) return true; // a socket in the file system
  const places = [...LOOPBACK, ...privateNetworks];
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return parseNetwork(bare) ? isWithinOne(bare, places) : places.includes(bare);
}

/** An empty list allows every address. */
export const isWithin = (address: string, networks: readonly string[]): boolean =>
  networks.length === 0 || isWithinOne(address, networks);

function isWithinOne(text: string, networks: readonly string[]): boolean {
  const [address] = parseNetwork(text) ?? [];
  return networks.some(each => {
    const network = parseNetwork(each);
    return address !== undefined && network?.[0].kind() === address.kind() && address.match(network as [IPv4, number]);
  });
}
