/**
 * Skips the counter query for most payments: while the known and in-flight declines stay below a share of the limit, the
 * process sends a payment without a reservation and writes to the database only after a decline.
 */
import type { CounterSlot } from './counters';
import { keyName } from './counters';

/** Share of a rule's limit. A small limit rounds down to zero and is always checked in the database. */
const LOCAL_SHARE = 0.1;
const MAX_REMEMBERED = 20_000;

interface KnownDeclines {
  /** As of the latest database read. */
  counted: bigint;
  /** Attempts of this process that the database has not counted. */
  inFlight: bigint;
}

export class LocalDeclineCounter {
  private readonly known = new Map<string, KnownDeclines>();

  /** Returns whether the payment needs no reservation, and then counts it as in flight. */
  begin({ counts, key, allowed }: CounterSlot): boolean {
    const max = BigInt(Math.floor(Number(allowed) * LOCAL_SHARE));
    if (counts !== 'declines' || max === 0n) return false;
    const declines = this.of(key);
    if (declines.counted + declines.inFlight >= max) return false;
    declines.inFlight++;
    return true;
  }

  end({ key }: CounterSlot): void {
    this.of(key).inFlight--;
  }

  inFlight({ key }: CounterSlot): bigint {
    return this.known.get(keyName(key))?.inFlight ?? 0n;
  }

  recordCount({ counts, key }: CounterSlot, counted: bigint | undefined): void {
    if (counts === 'declines' && counted !== undefined) this.of(key).counted = counted;
  }

  private of(key: Uint8Array): KnownDeclines {
    const name = keyName(key);
    const existing = this.known.get(name);
    if (existing) return existing;
    if (this.known.size >= MAX_REMEMBERED)
      for (const [other, { inFlight }] of this.known) if (inFlight === 0n) this.known.delete(other);
    const declines = { counted: 0n, inFlight: 0n };
    this.known.set(name, declines);
    return declines;
  }
}
