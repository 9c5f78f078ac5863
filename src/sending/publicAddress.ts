/** Which addresses a merchant may have us call. In production, nothing that only we can reach: they are on the internet, and so is theirs. */
import { isIP } from 'node:net';
import { IPv4, IPv6, parse } from 'ipaddr.js';

const MAX_URL_LENGTH = 2048;

/** The library calls everything unicast that it knows no purpose of; these are all that have been given out. */
const ALLOCATED: [IPv6, number] = [IPv6.parse('2000::'), 3];
/** Networks without IPv4 reach the rest of the internet through this one: the last four bytes are where it goes. */
const NAT64: [IPv6, number] = [IPv6.parse('64:ff9b::'), 96];
/** Looks like any other, but inside Azure it is the machine's own host. */
const AZURE_HOST = '168.63.129.16';

/** False also for what is no address. 6to4 and Teredo lead to an IPv4 of the sender's choice, and nobody needs them any more. */
export function isPublic(address: string): boolean {
  if (!isIP(address)) return false;
  const parsed = parse(address);
  if (parsed instanceof IPv4) return parsed.range() === 'unicast' && parsed.toString() !== AZURE_HOST;
  if (parsed.isIPv4MappedAddress() || parsed.match(NAT64))
    return isPublic(new IPv4(parsed.toByteArray().slice(-4)).toString());
  return parsed.match(ALLOCATED) && parsed.range() === 'unicast';
}

/** A URL writes IPv6 in brackets; whatever spelling an IPv4 had, a URL has made four decimals of it. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** Why an address is not accepted, as what it must be; undefined where it is. What its name means is only known when it is called. */
export function addressProblem(url: string, strict: boolean): string | undefined {
  if (url.length > MAX_URL_LENGTH) return 'must have at most 2,048 characters';
  if (!URL.canParse(url)) return `must be an ${strict ? 'https' : 'http or https'} address`;
  const parsed = new URL(url);
  if (parsed.href.length > MAX_URL_LENGTH) return 'must have at most 2,048 characters';
  if (parsed.protocol !== 'https:' && (strict || parsed.protocol !== 'http:'))
    return `must be an ${strict ? 'https' : 'http or https'} address`;
  if (parsed.port === '0') return 'must have a port that there is';
  if (parsed.username || parsed.password) return 'must have no user and no password in it';
  const host = hostOf(parsed);
  const inward = isIP(host) ? !isPublic(host) : /(^|\.)localhost\.?$/.test(host);
  return strict && inward ? 'must be on the public internet' : undefined;
}
