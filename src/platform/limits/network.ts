import { isValid, parse } from 'ipaddr.js';

/** The part of an address that its owner cannot change at will: an IPv6 subscriber controls the lower 64 bits. */
export function networkOf(address: string): string {
  if (!isValid(address)) return address.slice(0, 45);
  const parsed = parse(address);
  if (parsed.kind() === 'ipv4') return address;
  if ('isIPv4MappedAddress' in parsed && parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return parsed.toNormalizedString().split(':').slice(0, 4).join(':');
}
