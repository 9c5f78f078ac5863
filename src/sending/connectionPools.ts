/** Connections to the places that merchants chose, kept for a while, each to an address that was looked up once and checked. */
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
  /** How long an address is held on to. Names move, and those of a failing place move first. */
  pinnedMs?: number;
  /** How many places are kept at once. */
  maxPools?: number;
}

const MAX_CONNECTIONS_PER_POOL = 50;
const MAX_HEADER_BYTES = 16 * 1024;

interface KeptPool {
  origin: string;
  pool: Pool;
  /** When it is given up: names move. */
  end: NodeJS.Timeout;
}

export class ConnectionPools {
  /** The one that was used last is the last. */
  private readonly kept = new Map<string, KeptPool>();
  private last: KeptPool | undefined;
  private readonly closing = new Set<Promise<void>>();

  constructor(private readonly keeping: PoolOptions) {}

  /** To be used at once: what is closed finishes what it has, and takes nothing new. */
  to(origin: string, ownerId: string): Pool {
    const known = this.kept.get(ownerId);
    const kept = known?.origin === origin ? known : this.open(origin, ownerId);
    if (kept !== this.last) {
      this.kept.delete(ownerId);
      this.kept.set(ownerId, kept);
      this.last = kept;
    }
    return kept.pool;
  }

  async close(): Promise<void> {
    for (const ownerId of [...this.kept.keys()]) this.drop(ownerId);
    await Promise.all(this.closing);
  }

  private open(origin: string, ownerId: string): KeptPool {
    const { timeoutMs, pinnedMs = 30_000, maxPools: most = 2000 } = this.keeping;
    this.drop(ownerId);
    const [oldest] = this.kept.keys();
    if (oldest !== undefined && this.kept.size >= most) this.drop(oldest);
    const pool = new Pool(origin, {
      connections: MAX_CONNECTIONS_PER_POOL,
      maxHeaderSize: MAX_HEADER_BYTES,
      // There is one time for everything, and whoever sends keeps it.
      headersTimeout: 0,
      bodyTimeout: 0,
      // Said here so that no variable of the environment can say otherwise.
      connect: { lookup: pinned(this.keeping), timeout: timeoutMs, rejectUnauthorized: true },
    });
    const end = setTimeout(() => this.drop(ownerId), pinnedMs).unref();
    const kept = { origin, pool, end };
    this.kept.set(ownerId, kept);
    return kept;
  }

  private drop(ownerId: string): void {
    const kept = this.kept.get(ownerId);
    if (!kept) return;
    // It would hold on to what is given up already.
    clearTimeout(kept.end);
    this.kept.delete(ownerId);
    if (this.last === kept) this.last = undefined;
    const closed = kept.pool.close();
    this.closing.add(closed);
    void closed.finally(() => this.closing.delete(closed));
  }
}

/**
 * How a pool finds its host, and the only way that it has: every connection asks here and goes to what was checked, so a name that means
 * another address a moment later changes nothing. What failed is looked up again by the next connection.
 */
function pinned({ strict, lookup = strict ? lookUpPublic : lookUp }: PoolOptions): LookupFunction {
  let found: Promise<LookupAddress[]> | undefined;
  const find = async (host: string): Promise<LookupAddress[]> => {
    const addresses = await lookup(host);
    if (addresses.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
    // One that is not to be called spoils all: which of them is tried is up to the network.
    if (strict && !addresses.every(({ address }) => isPublic(address))) throw new NotPublicError();
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
