/** Lets requests in: as many as a key and its merchant may make, and in turns with those of other merchants. */

import type { Buckets, Limit, Taken } from '../../limits/buckets';
import { networkOf } from '../../limits/network';
import type { LimitSettings } from '../../limits/settings';
import type { KeyHolder } from '../../merchants/apiKeyCache';
import { ApiError } from '../../platform/errors';
import { FairQueue } from '../../platform/fairQueue';
import { RecentlySeen } from './recentlySeen';
import { SlowRefusals } from './slowRefusals';
import { WorkSlot } from './workSlot';

/** What a request does: reads, writes, or makes the acquirer look at a card. */
export type RequestClass = 'read' | 'write' | 'card';

export interface RequestSize {
  requestClass: RequestClass;
  /** How many ordinary requests it counts for. */
  weight: number;
}

const RECORDS_PER_WEIGHT = 25;
const MAX_RECORDS = 1000;

/** Of a request for so many records; any other number is refused later. */
export const weightOf = (records: number): number =>
  records > 0 && records <= MAX_RECORDS ? 1 + Math.floor(records / RECORDS_PER_WEIGHT) : 1;

/** A request that was let in. */
export interface Entry {
  /** Tell the client how many requests it has left. */
  headers: Record<string, string>;
  /** Runs what waits for somebody else, and lets another request work meanwhile. */
  whileAway<T>(wait: () => Promise<T>): Promise<T>;
  /** Counts it for more, once it is known what it does. Throws where that is too much. */
  takeMore(size: RequestSize): Promise<void>;
  /** A request that nobody sends on purpose counts for many: a broken or hostile client goes on sending it. */
  countMistake(): void;
  leave(): void;
}

/** How many requests a process works on at once, those aside that wait for somebody else. */
const MAX_WORKING = 64;
/** Of a merchant that is not alone: few enough that another's request is not held up by them. */
const MAX_WORKING_OF_MERCHANT = 4;
/** A large answer keeps the process busy for a while, so they come one by one. */
const MIN_LARGE_WEIGHT = 5;
const MAX_LARGE = 2;
const isLarge = ({ requestClass, weight }: RequestSize): boolean =>
  requestClass === 'read' && weight >= MIN_LARGE_WEIGHT;
const MISTAKE_WEIGHT = 10;
const LARGE_PAUSE_FACTOR = 3;
const MAX_LARGE_PAUSE_MS = 2000;

export class Admission {
  private readonly inFlight = new Map<string, number>();
  private readonly streams = new Map<string, number>();
  private readonly merchants = new RecentlySeen();
  private readonly working = new FairQueue(MAX_WORKING, () =>
    this.merchants.count() > 1 ? MAX_WORKING_OF_MERCHANT : MAX_WORKING,
  );
  private readonly refusals = new SlowRefusals();
  private readonly large = new FairQueue(MAX_LARGE, () => 1);

  constructor(
    private readonly buckets: Buckets,
    private readonly settings: LimitSettings,
  ) {}

  /** Throws where there are too many requests. Whoever is let in must leave. */
  async enter(holder: KeyHolder, size: RequestSize): Promise<Entry> {
    const { key, merchant_id } = holder;
    const max = this.settings.LIMIT_REQUESTS_IN_FLIGHT;
    let leaveFlight: (() => void) | undefined;
    try {
      leaveFlight = count(this.inFlight, key, max, `More than ${max} requests with this key are in progress`);
      const { taken, limit } = await this.takeTokens(holder, size);
      this.merchants.see(merchant_id);
      let leaveLarge = isLarge(size) ? await this.takeLarge(merchant_id) : undefined;
      const slot = new WorkSlot(this.working, merchant_id);
      await slot.take();
      return {
        headers: headersOf(taken, limit),
        whileAway: wait => slot.whileAway(wait),
        takeMore: async more => {
          await this.takeTokens(holder, more);
          if (isLarge(more)) leaveLarge ??= await slot.whileAway(() => this.takeLarge(merchant_id));
        },
        countMistake: () => {
          // The public key is everybody's: one payer's mistakes must not stop the others.
          if (holder.kind === 'public') return;
          this.takeTokens(holder, { ...size, weight: MISTAKE_WEIGHT }).catch(() => undefined);
        },
        leave: () => {
          slot.end();
          leaveLarge?.();
          leaveFlight?.();
        },
      };
    } catch (error) {
      leaveFlight?.();
      await this.refusals.answer(key);
      throw error;
    }
  }

  /** Returns what ends the stream. */
  async openStream(holder: KeyHolder): Promise<() => void> {
    await this.takeTokens(holder, { requestClass: 'read', weight: 1 });
    const max = this.settings.LIMIT_LIVE_STREAMS;
    return count(this.streams, holder.merchant_id, max, `More than ${max} live streams are open`);
  }

  /** Guessing keys is slowed down by address. A right key is not: it is never counted. */
  async countWrongKey(address: string): Promise<void> {
    const perMinute = this.settings.LIMIT_WRONG_KEYS_PER_MINUTE;
    const limit = { perSecond: perMinute / 60, burst: perMinute };
    const scope = `address ${networkOf(address)}`;
    const taken = await this.buckets.take(scope, limit);
    if (!taken.isAllowed) await this.refusals.answer(scope);
    rejectUnlessTaken(taken, 'Too many wrong keys');
  }

  /** While others are there, the next one waits for a while that is long beside this one. */
  private async takeLarge(merchant_id: string): Promise<() => void> {
    const leave = await this.large.take(merchant_id);
    const startedAt = Date.now();
    return () => {
      const pauseMs = this.merchants.count() > 1 ? LARGE_PAUSE_FACTOR * (Date.now() - startedAt) : 0;
      setTimeout(leave, Math.min(pauseMs, MAX_LARGE_PAUSE_MS)).unref();
    };
  }

  private async takeTokens(
    holder: KeyHolder,
    { requestClass, weight }: RequestSize,
  ): Promise<{ taken: Taken; limit: Limit }> {
    const { key, kind, merchant_id } = holder;
    const { LIMIT_REQUESTS_PER_SECOND, LIMIT_TOKENS_PER_SECOND, LIMIT_TOKENS_AT_ONCE } = this.settings;
    const limit =
      kind === 'public'
        ? { perSecond: LIMIT_TOKENS_PER_SECOND, burst: LIMIT_TOKENS_AT_ONCE }
        : perSecond(LIMIT_REQUESTS_PER_SECOND);
    const taken = await this.buckets.take(`key ${key}`, limit, weight);
    rejectUnlessTaken(taken, 'Too many requests with this key');
    const ofClass = await this.buckets.take(
      `${requestClass} ${merchant_id || key}`,
      this.classLimit(requestClass),
      weight,
    );
    rejectUnlessTaken(ofClass, `Too many requests of this merchant that ${WORDS[requestClass]}`);
    return { taken, limit };
  }

  private classLimit(requestClass: RequestClass): Limit {
    const { LIMIT_READS_PER_SECOND, LIMIT_WRITES_PER_SECOND, LIMIT_CARDS_PER_SECOND } = this.settings;
    const limits = { read: LIMIT_READS_PER_SECOND, write: LIMIT_WRITES_PER_SECOND, card: LIMIT_CARDS_PER_SECOND };
    return perSecond(limits[requestClass]);
  }
}

const WORDS: Record<RequestClass, string> = { read: 'read', write: 'write', card: 'send a card' };

/** Two seconds' worth at once. */
const perSecond = (requests: number): Limit => ({ perSecond: requests, burst: 2 * requests });

function rejectUnlessTaken({ isAllowed, waitSeconds }: Taken, description: string): void {
  if (!isAllowed) throw new ApiError('too_many', { description, retry_after: waitSeconds });
}

/** Returns what takes it away again. */
function count(counts: Map<string, number>, owner: string, max: number, refusal: string): () => void {
  const current = counts.get(owner) ?? 0;
  if (current >= max) throw new ApiError('too_many', { description: refusal, retry_after: 1 });
  counts.set(owner, current + 1);
  return () => {
    const rest = (counts.get(owner) ?? 1) - 1;
    if (rest > 0) counts.set(owner, rest);
    else counts.delete(owner);
  };
}

const headersOf = ({ remaining }: Taken, { perSecond, burst }: Limit): Record<string, string> => ({
  'ratelimit-limit': String(burst),
  'ratelimit-remaining': String(Math.min(remaining, burst)),
  'ratelimit-reset': String(Math.ceil(Math.max(0, burst - remaining) / perSecond)),
});
