/** Connections to the places that merchants chose, kept for a while, each to an address that was looked up once and checked. */
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Pool } from 'undici';
import { NotPublic } from './failures';
import { type Lookup, lookUp, lookUpPublic } from './names';
import { isPublic } from './networks';

export interface Keeping {
  strict: boolean;
  timeoutMs: number;
  lookup?: Lookup;
  /** How long an address is held on to. Names move, and those of a failing place move first. */
  pinnedMs?: number;
  /** How many places are kept at once. */
  most?: number;
}

const CONNECTIONS = 50;
const LARGEST_HEADERS = 16 * 1024;

export class Origins {
  /** The one that was used last is the last. */
  private readonly pools = new Map<string, Pool>();
  private readonly closing = new Set<Promise<void>>();

  constructor(private readonly keeping: Keeping) {}

  /** To be used at once: what is closed finishes what it has, and takes nothing new. */
  to(origin: string, whose: string): Pool {
    const name = `${whose} ${origin}`;
    const pool = this.pools.get(name) ?? this.open(name, origin);
    this.pools.delete(name);
    this.pools.set(name, pool);
    const [oldest] = this.pools.keys();
    if (oldest !== undefined && this.pools.size > (this.keeping.most ?? 2000)) this.drop(oldest);
    return pool;
  }

  async close(): Promise<void> {
    for (const name of [...this.pools.keys()]) this.drop(name);
    await Promise.all(this.closing);
  }

  private open(name: string, origin: string): Pool {
    const { timeoutMs, pinnedMs = 30_000 } = this.keeping;
    const pool = new Pool(origin, {
      connections: CONNECTIONS,
      maxHeaderSize: LARGEST_HEADERS,
      // Said here so that no variable of the environment can say otherwise.
      connect: { lookup: pinned(this.keeping), timeout: timeoutMs, rejectUnauthorized: true },
    });
    setTimeout(() => this.pools.get(name) === pool && this.drop(name), pinnedMs).unref();
    return pool;
  }

  private drop(name: string): void {
    const closed = this.pools.get(name)?.close();
    this.pools.delete(name);
    if (!closed) return;
    this.closing.add(closed);
    void closed.finally(() => this.closing.delete(closed));
  }
}

/**
 * How a pool finds its host, and the only way that it has: every connection asks here and goes to what was checked, so a name that means
 * another address a moment later changes nothing. What failed is looked up again by the next connection.
 */
function pinned({ strict, lookup = strict ? lookUpPublic : lookUp }: Keeping): LookupFunction {
  let found: Promise<LookupAddress[]> | undefined;
  const find = async (host: string): Promise<LookupAddress[]> => {
    const addresses = await lookup(host);
    if (addresses.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
    // One that is not to be called spoils all: which of them is tried is up to the network.
    if (strict && !addresses.every(({ address }) => isPublic(address))) throw new NotPublic();
    return addresses;
  };
  return (host, { all }, callback) => {
    found ??= find(host).catch(error => {
      found = undefined;
      throw error;
    });
    found.then(
      addresses =>
        all ? callback(null, addresses) : callback(null, addresses[0]?.address ?? '', addresses[0]?.family),
      error => callback(error, ''),
    );
  };
}
