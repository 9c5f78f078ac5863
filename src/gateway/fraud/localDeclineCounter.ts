/**
 * Most payers are declined seldom or never. As long as a process knows of few declines, those on their way included,
 * it asks nobody before it sends a payment, and tells the database of a decline only.
 */
import type { CounterPlace } from './counters';
import { nameOfKey } from './counters';

/** Of what a rule allows. A rule that allows few is always asked. */
const UNASKED_SHARE = 0.1;
const MAX_REMEMBERED = 20_000;

interface KnownDeclines {
  /** When the database was asked last. */
  counted: bigint;
  /** Of this process, not counted by the database. */
  onTheirWay: bigint;
}

export class LocalDeclineCounter {
  private readonly known = new Map<string, KnownDeclines>();

  /** Whether the payment may be sent without asking; then it is on its way. */
  begin({ counts, key, allowed }: CounterPlace): boolean {
    const max = BigInt(Math.floor(Number(allowed) * UNASKED_SHARE));
    if (counts !== 'declines' || max === 0n) return false;
    const declines = this.of(key);
    if (declines.counted + declines.onTheirWay >= max) return false;
    declines.onTheirWay++;
    return true;
  }

  end({ key }: CounterPlace): void {
    this.of(key).onTheirWay--;
  }

  /** Places that the database does not know of. */
  onTheirWay({ key }: CounterPlace): bigint {
    return this.known.get(nameOfKey(key))?.onTheirWay ?? 0n;
  }

  /** What the database has counted. */
  learn({ counts, key }: CounterPlace, counted: bigint | undefined): void {
    if (counts === 'declines' && counted !== undefined) this.of(key).counted = counted;
  }

  private of(key: Uint8Array): KnownDeclines {
    const name = nameOfKey(key);
    const existing = this.known.get(name);
    if (existing) return existing;
    if (this.known.size >= MAX_REMEMBERED)
      for (const [other, { onTheirWay }] of this.known) if (onTheirWay === 0n) this.known.delete(other);
    const declines = { counted: 0n, onTheirWay: 0n };
    this.known.set(name, declines);
    return declines;
  }
}
