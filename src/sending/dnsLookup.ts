/** What a host's name means, asked without the system's own look-up: that has four threads for everybody, and one dead name server takes them all. */
import { promises as dns, type LookupAddress } from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';

export type Lookup = (host: string) => Promise<LookupAddress[]>;

const LIMITS = { timeout: 2000, tries: 2 };
const OTHER_KIND_MS = 500;
/** Nobody said that there is no such name: asking again would take as long again. */
const SILENT = ['ETIMEOUT', 'ESERVFAIL', 'ECANCELLED'];

export const lookUp: Lookup = host => lookUpAt(new dns.Resolver(LIMITS), host, dns.lookup);

/** What only this machine knows means nothing to others. */
export const lookUpPublic: Lookup = host => lookUpAt(new dns.Resolver(LIMITS), host, notKnown);

export async function lookUpAt(servers: dns.Resolver, host: string, here: typeof dns.lookup): Promise<LookupAddress[]> {
  // Only the machine itself knows these.
  if (!host.includes('.')) return here(host, { all: true });
  const four = servers.resolve4(host).then(addresses => addresses.map(address => ({ address, family: 4 })));
  const six = servers.resolve6(host).then(addresses => addresses.map(address => ({ address, family: 6 })));
  // Who has one kind waits for the other, but not for long.
  const patience = Promise.any([four, six]).then(() => sleep(OTHER_KIND_MS, [], { ref: false }));
  const answers = await Promise.allSettled([four, six].map(kind => Promise.race([kind, patience])));
  const found = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found;
  if (answers.some(answer => answer.status === 'rejected' && SILENT.includes(answer.reason.code)))
    throw Object.assign(new Error(`No name server answered for ${host}`), { code: 'EAI_AGAIN' });
  // Or it is in the hosts file.
  return here(host, { all: true });
}

const notKnown = (async (host: string) => {
  throw Object.assign(new Error(`${host} is not known`), { code: 'ENOTFOUND' });
}) as unknown as typeof dns.lookup;
