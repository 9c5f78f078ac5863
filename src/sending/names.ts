/** What a host's name means, asked without the system's own look-up: that has four threads for everybody, and one dead name server takes them all. */
import { promises as dns, type LookupAddress } from 'node:dns';

export type Lookup = (host: string) => Promise<LookupAddress[]>;

/** Nobody said that there is no such name: asking again would take as long again. */
const SILENT = ['ETIMEOUT', 'ESERVFAIL', 'ECANCELLED'];

export const lookUp: Lookup = host => lookUpAt(new dns.Resolver({ timeout: 2000, tries: 2 }), host);

export async function lookUpAt(servers: dns.Resolver, host: string): Promise<LookupAddress[]> {
  // Only the machine itself knows these.
  if (!host.includes('.')) return dns.lookup(host, { all: true });
  const [four, six] = await Promise.allSettled([servers.resolve4(host), servers.resolve6(host)]);
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map(address => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map(address => ({ address, family: 6 })) : []),
  ];
  if (found.length > 0) return found;
  if ([four, six].some(answer => answer.status === 'rejected' && SILENT.includes(answer.reason.code)))
    throw Object.assign(new Error(`No name server answered for ${host}`), { code: 'EAI_AGAIN' });
  // Or it is in the hosts file.
  return dns.lookup(host, { all: true });
}
