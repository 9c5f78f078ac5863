/**
 * Resolves host names without the system's getaddrinfo: that runs on four threads for the whole process, and one dead
 * name server would occupy them all.
 */
import { promises as dns, type LookupAddress } from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';

export type Lookup = (host: string) => Promise<LookupAddress[]>;
type SystemLookup = (host: string, options: { all: true }) => Promise<LookupAddress[]>;

const RESOLVER_OPTIONS = { timeout: 2000, tries: 2 };
const OTHER_FAMILY_TIMEOUT_MS = 500;
/** No server said that the name does not exist; asking the system as well would take as long again. */
const NO_ANSWER_CODES = ['ETIMEOUT', 'ESERVFAIL', 'ECANCELLED'];

export const lookUp: Lookup = host => lookUpAt(new dns.Resolver(RESOLVER_OPTIONS), host, dns.lookup);

/** Without the names that only this machine knows. */
export const lookUpPublic: Lookup = host => lookUpAt(new dns.Resolver(RESOLVER_OPTIONS), host, rejectUnknown);

export async function lookUpAt(
  servers: dns.Resolver,
  host: string,
  systemLookup: SystemLookup,
): Promise<LookupAddress[]> {
  // Only the machine itself knows names without a dot.
  if (!host.includes('.')) return systemLookup(host, { all: true });
  const ipv4 = servers.resolve4(host).then(addresses => addresses.map(address => ({ address, family: 4 })));
  const ipv6 = servers.resolve6(host).then(addresses => addresses.map(address => ({ address, family: 6 })));
  // Once one family is known, the other is not waited for much longer.
  const timeout = Promise.any([ipv4, ipv6]).then(() => sleep(OTHER_FAMILY_TIMEOUT_MS, [], { ref: false }));
  const answers = await Promise.allSettled([ipv4, ipv6].map(family => Promise.race([family, timeout])));
  const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  if (answers.some(answer => answer.status === 'rejected' && NO_ANSWER_CODES.includes(answer.reason.code)))
    throw Object.assign(new Error(`No name server answered for ${host}`), { code: 'EAI_AGAIN' });
  // It may be in the hosts file.
  return systemLookup(host, { all: true });
}

const rejectUnknown: SystemLookup = async host => {
  throw Object.assign(new Error(`${host} is not known`), { code: 'ENOTFOUND' });
};
