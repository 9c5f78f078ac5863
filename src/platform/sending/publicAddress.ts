/** The URLs that merchants may choose: in production only the public internet, never the internal network. */
import { isIP } from 'node:net';
import { IPv4, IPv6, parse } from 'ipaddr.js';

const MAX_URL_LENGTH = 2048;

/** The library reports every unassigned range as unicast; only this one is allocated. */
const ALLOCATED_IPV6: [IPv6, number] = [IPv6.parse('2000::'), 3];
/** IPv6-only networks reach IPv4 through this prefix: the last four bytes are the IPv4 address. */
const NAT64: [IPv6, number] = [IPv6.parse('64:ff9b::'), 96];
/** Looks public, but within Azure it is a service of the host. */
const AZURE_PLATFORM_ADDRESS = '168.63.129.16';

/** False for text that is not an address. 6to4 and Teredo addresses embed any IPv4 address, and are obsolete. */
export function isPublic(address: string): boolean {
  if (!isIP(address)) return false;
  const parsed = parse(address);
  if (parsed instanceof IPv4) return parsed.range() === 'unicast' && parsed.toString() !== AZURE_PLATFORM_ADDRESS;
  if (parsed.isIPv4MappedAddress() || parsed.match(NAT64))
    return isPublic(new IPv4(parsed.toByteArray().slice(-4)).toString());
  return parsed.match(ALLOCATED_IPV6) && parsed.range() === 'unicast';
}

/** Removes the brackets of IPv6. The URL class has already normalized IPv4 to four decimals. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

type AddressProblem =
  | 'url_too_long'
  | 'not_https_address'
  | 'not_web_address'
  | 'url_port'
  | 'url_credentials'
  | 'url_not_public';

/** Why a URL is refused; undefined if accepted. What its host resolves to is checked at each connection. */
export function addressProblem(url: string, strict: boolean): AddressProblem | undefined {
  if (url.length > MAX_URL_LENGTH) return 'url_too_long';
  if (!URL.canParse(url)) return strict ? 'not_https_address' : 'not_web_address';
  const parsed = new URL(url);
  if (parsed.href.length > MAX_URL_LENGTH) return 'url_too_long';
  if (parsed.protocol !== 'https:' && (strict || parsed.protocol !== 'http:'))
    return strict ? 'not_https_address' : 'not_web_address';
  if (parsed.port === '0') return 'url_port';
  if (parsed.username || parsed.password) return 'url_credentials';
  const host = hostOf(parsed);
  const isInternal = isIP(host) ? !isPublic(host) : /(^|\.)localhost\.?$/.test(host);
  return strict && isInternal ? 'url_not_public' : undefined;
}
