/** Pools of connections to merchants' hosts, pinned to verified addresses. */
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Pool } from 'undici';
import { type Lookup, lookUp, lookUpPublic } from './dnsLookup';
import { NotPublicError } from './failureMessages';
import { isPublic } from './publicAddress';

export interface PoolOptions {
  strict: boolean;
  timeoutMs: number;
  lookup?: Lookup;
  /** Time for which a resolved address is used. Hosts change addresses, most often during failures. */
  pinnedMs?: number;
  maxPools?: number;
}

const MAX_CONNECTIONS_PER_POOL = 50;
const MAX_HEADER_BYTES = 16 * 1024;

interface CachedPool {
  origin: string;
  pool: Pool;
  /** Ends the use of the pinned address. */
  expiry: NodeJS.Timeout;
}

export class ConnectionPools {
  /** By owner, least recently used first. */
  private readonly cached = new Map<string, CachedPool>();
  private lastUsed: CachedPool | undefined;
  private readonly closing = new Set<Promise<void>>();

  constructor(private readonly options: PoolOptions) {}

  /** Use the pool immediately: a closed pool completes its requests but accepts no new ones. */
  poolFor(origin: string, ownerId: string): Pool {
    const existing = this.cached.get(ownerId);
    const entry = existing?.origin === origin ? existing : this.open(origin, ownerId);
    if (entry !== this.lastUsed) {
      this.cached.delete(ownerId);
      this.cached.set(ownerId, entry);
      this.lastUsed = entry;
    }
    return entry.pool;
  }

  async close(): Promise<void> {
    for (const ownerId of [...this.cached.keys()]) this.drop(ownerId);
    await Promise.all(this.closing);
  }

  private open(origin: string, ownerId: string): CachedPool {
    const { timeoutMs, pinnedMs = 30_000, maxPools = 2000 } = this.options;
    this.drop(ownerId);
    const [oldest] = this.cached.keys();
    if (oldest !== undefined && this.cached.size >= maxPools) this.drop(oldest);
    const pool = new Pool(origin, {
      connections: MAX_CONNECTIONS_PER_POOL,
      maxHeaderSize: MAX_HEADER_BYTES,
      // post() limits the time of the whole request.
      headersTimeout: 0,
      bodyTimeout: 0,
      // Explicit, so that no environment variable can disable verification.
      connect: { lookup: pinnedLookup(this.options), timeout: timeoutMs, rejectUnauthorized: true },
    });
    const expiry = setTimeout(() => this.drop(ownerId), pinnedMs).unref();
    const entry = { origin, pool, expiry };
    this.cached.set(ownerId, entry);
    return entry;
  }

  private drop(ownerId: string): void {
    const entry = this.cached.get(ownerId);
    if (!entry) return;
    // A pending timer would keep the pool in memory.
    clearTimeout(entry.expiry);
    this.cached.delete(ownerId);
    if (this.lastUsed === entry) this.lastUsed = undefined;
    const closed = entry.pool.close();
    this.closing.add(closed);
    void closed.finally(() => this.closing.delete(closed));
  }
}

/**
 * Pins every connection to the verified addresses, which defeats DNS rebinding. After a failure the next connection looks
 * the name up again.
 */
function pinnedLookup({ strict, lookup = strict ? lookUpPublic : lookUp }: PoolOptions): LookupFunction {
  let resolved: Promise<LookupAddress[]> | undefined;
  const resolve = async (host: string): Promise<LookupAddress[]> => {
    const addresses = await lookup(host);
    if (addresses.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
    // One non-public address rejects the host, because the network chooses the address.
    if (strict && !addresses.every(({ address }) => isPublic(address))) throw new NotPublicError();
    return addresses;
  };
  return (host, { all }, callback) => {
    resolved ??= resolve(host).catch(error => {
      resolved = undefined;
      throw error;
    });
    resolved.then(
      addresses =>
        all ? callback(null, addresses) : callback(null, addresses[0]?.address ?? '', addresses[0]?.family),
      error => callback(error, ''),
    );
  };
}
