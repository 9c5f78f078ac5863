/** Connections to the places that merchants chose, kept for a while, each to an address that was looked up once and checked. */
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Pool } from 'undici';
import { type Lookup, lookUp, lookUpPublic } from './dnsLookup';
import { NotPublic } from './failureMessages';
import { isPublic } from './publicAddress';

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

interface Kept {
  origin: string;
  pool: Pool;
  /** When it is given up: names move. */
  end: NodeJS.Timeout;
}

export class Origins {
  /** The one that was used last is the last. */
  private readonly kept = new Map<string, Kept>();
  private last: Kept | undefined;
  private readonly closing = new Set<Promise<void>>();

  constructor(private readonly keeping: Keeping) {}

  /** To be used at once: what is closed finishes what it has, and takes nothing new. */
  to(origin: string, whose: string): Pool {
    const known = this.kept.get(whose);
    const kept = known?.origin === origin ? known : this.open(origin, whose);
    if (kept !== this.last) {
      this.kept.delete(whose);
      this.kept.set(whose, kept);
      this.last = kept;
    }
    return kept.pool;
  }

  async close(): Promise<void> {
    for (const whose of [...this.kept.keys()]) this.drop(whose);
    await Promise.all(this.closing);
  }

  private open(origin: string, whose: string): Kept {
    const { timeoutMs, pinnedMs = 30_000, most = 2000 } = this.keeping;
    this.drop(whose);
    const [oldest] = this.kept.keys();
    if (oldest !== undefined && this.kept.size >= most) this.drop(oldest);
    const pool = new Pool(origin, {
      connections: CONNECTIONS,
      maxHeaderSize: LARGEST_HEADERS,
      // There is one time for everything, and whoever sends keeps it.
      headersTimeout: 0,
      bodyTimeout: 0,
      // Said here so that no variable of the environment can say otherwise.
      connect: { lookup: pinned(this.keeping), timeout: timeoutMs, rejectUnauthorized: true },
    });
    const end = setTimeout(() => this.drop(whose), pinnedMs).unref();
    const kept = { origin, pool, end };
    this.kept.set(whose, kept);
    return kept;
  }

  private drop(whose: string): void {
    const kept = this.kept.get(whose);
    if (!kept) return;
    // It would hold on to what is given up already.
    clearTimeout(kept.end);
    this.kept.delete(whose);
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
