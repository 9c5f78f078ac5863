/** Avoids getaddrinfo: its four threads serve the whole process, and one dead name server would occupy them all. */
import { promises as dns, type LookupAddress } from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';

export type Lookup = (host: string) => Promise<LookupAddress[]>;
type SystemLookup = (host: string, options: { all: true }) => Promise<LookupAddress[]>;

const RESOLVER_OPTIONS = { timeout: 2000, tries: 2 };
const OTHER_FAMILY_TIMEOUT_MS = 500;
/** The name server did not respond; the system resolver would time out as well. */
const NO_ANSWER_CODES = ['ETIMEOUT', 'ESERVFAIL', 'ECANCELLED'];

export const lookUp: Lookup = host => lookUpAt(new dns.Resolver(RESOLVER_OPTIONS), host, dns.lookup);

/** Excludes names that only this machine resolves. */
export const lookUpPublic: Lookup = host => lookUpAt(new dns.Resolver(RESOLVER_OPTIONS), host, rejectUnknown);

export async function lookUpAt(
  servers: dns.Resolver,
  host: string,
  systemLookup: SystemLookup,
): Promise<LookupAddress[]> {
  // Only this machine resolves names without a dot.
  if (!host.includes('.')) return systemLookup(host, { all: true });
  const ipv4 = servers.resolve4(host).then(addresses => addresses.map(address => ({ address, family: 4 })));
  const ipv6 = servers.resolve6(host).then(addresses => addresses.map(address => ({ address, family: 6 })));
  // After one family has resolved, wait only briefly for the other.
  const timeout = Promise.any([ipv4, ipv6]).then(() => sleep(OTHER_FAMILY_TIMEOUT_MS, [], { ref: false }));
  const answers = await Promise.allSettled([ipv4, ipv6].map(family => Promise.race([family, timeout])));
  const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  if (answers.some(answer => answer.status === 'rejected' && NO_ANSWER_CODES.includes(answer.reason.code)))
    throw Object.assign(new Error(`No name server responded for ${host}`), { code: 'EAI_AGAIN' });
  // The hosts file may contain it.
  return systemLookup(host, { all: true });
}

const rejectUnknown: SystemLookup = async host => {
  throw Object.assign(new Error(`Unknown host ${host}`), { code: 'ENOTFOUND' });
};
