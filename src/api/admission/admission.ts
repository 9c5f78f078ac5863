/** Lets requests in: as many as a key and its merchant may make, and in turns with those of other merchants. */

import type { KeyHolder } from '../../accounts/merchants/apiKeyCache';
import type { Buckets, Limit } from '../../platform/limits/buckets';
import { networkOf } from '../../platform/limits/network';
import type { LimitSettings } from '../../platform/limits/settings';
import { FairQueue } from '../../platform/traffic/fairQueue';
import { type Budget, budgetHeaders, budgetOf } from './budget';
import { RecentlySeen } from './recentlySeen';
import { count, rejectUnlessTaken } from './refusal';
import { isLarge, type RequestClass, type RequestSize } from './requestSize';
import { SlowRefusals } from './slowRefusals';
import { WorkSlot } from './workSlot';

/** A request that was let in. */
export interface Entry {
  /** Tell the client how many requests it had left when it came in. */
  headers: Record<string, string>;
  /** What its key has left now. */
  budget(): Budget;
  /** Runs what waits for somebody else, and lets another request work meanwhile. */
  yieldSlotWhile<T>(wait: () => Promise<T>): Promise<T>;
  /** Counts it for more, once it is known what it does. Throws where that is too much. */
  takeMore(size: RequestSize): Promise<void>;
  /** A request that nobody sends on purpose counts for many: a broken or hostile client goes on sending it. */
  countMistake(): void;
  /** It stays in flight until its last part is sent, and holds nothing else after it has left. */
  inParts(): PartTurns;
  leave(): void;
}

/** The further parts of an answer: like large answers they come one by one. */
export interface PartTurns {
  take<T>(work: () => Promise<T>): Promise<T>;
  end(): void;
}

/** How many requests a process works on at once, those aside that wait for somebody else. */
const MAX_WORKING = 64;
/** Of a merchant that is alone: enough for full batches, and soon done when somebody else comes. */
const MAX_WORKING_ALONE = 24;
/** Of a merchant that is not alone: few enough that another's request is not held up by them. */
const MAX_WORKING_OF_MERCHANT = 4;
/** Large answers come one by one. */
const MAX_LARGE = 2;
const MISTAKE_WEIGHT = 10;
const LARGE_PAUSE_FACTOR = 3;
const MAX_LARGE_PAUSE_MS = 2000;

export class Admission {
  private readonly inFlight = new Map<string, number>();
  private readonly streams = new Map<string, number>();
  private readonly merchants = new RecentlySeen();
  private readonly working = new FairQueue(MAX_WORKING, () =>
    this.merchants.count() > 1 ? MAX_WORKING_OF_MERCHANT : MAX_WORKING_ALONE,
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
      leaveFlight = count('in_flight', this.inFlight, key, max, 'too_many_in_flight');
      let budget = await this.takeTokens(holder, size);
      this.merchants.see(merchant_id);
      let leaveLarge = isLarge(size) ? await this.takeLarge(merchant_id) : undefined;
      const slot = new WorkSlot(this.working, merchant_id);
      let isInParts = false;
      await slot.take();
      return {
        headers: budgetHeaders(budget),
        budget: () => budget,
        yieldSlotWhile: wait => slot.yieldSlotWhile(wait),
        takeMore: async more => {
          budget = await this.takeTokens(holder, more);
          if (isLarge(more)) leaveLarge ??= await slot.yieldSlotWhile(() => this.takeLarge(merchant_id));
        },
        countMistake: () => {
          // What comes from browsers shares its limits: one payer's mistakes must not stop the others.
          if (isOfBrowsers(holder)) return;
          this.takeTokens(holder, { ...size, weight: MISTAKE_WEIGHT }).catch(() => undefined);
        },
        inParts: () => {
          isInParts = true;
          return { take: work => this.takeTurn(merchant_id, work), end: () => leaveFlight?.() };
        },
        leave: () => {
          slot.end();
          leaveLarge?.();
          if (!isInParts) leaveFlight?.();
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
    return count('live_streams', this.streams, ownerOf(holder), max, 'too_many_streams');
  }

  /** Guessing keys is slowed down by address. A right key is not: it is never counted. */
  async countWrongKey(address: string): Promise<void> {
    const perMinute = this.settings.LIMIT_WRONG_KEYS_PER_MINUTE;
    const limit = { perSecond: perMinute / 60, burst: perMinute };
    const scope = `address ${networkOf(address)}`;
    const taken = await this.buckets.take(scope, limit);
    if (!taken.isAllowed) await this.refusals.answer(scope);
    rejectUnlessTaken('wrong_keys', taken, 'too_many_wrong_keys');
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

  private async takeTurn<T>(merchant_id: string, work: () => Promise<T>): Promise<T> {
    const leaveLarge = await this.takeLarge(merchant_id);
    const release = await this.working.take(merchant_id);
    return work().finally(() => {
      release();
      leaveLarge();
    });
  }

  private async takeTokens(holder: KeyHolder, { requestClass, weight }: RequestSize): Promise<Budget> {
    const { key } = holder;
    const { LIMIT_REQUESTS_PER_SECOND, LIMIT_TOKENS_PER_SECOND, LIMIT_TOKENS_AT_ONCE } = this.settings;
    const limit = isOfBrowsers(holder)
      ? { perSecond: LIMIT_TOKENS_PER_SECOND, burst: LIMIT_TOKENS_AT_ONCE }
      : perSecond(LIMIT_REQUESTS_PER_SECOND);
    const taken = await this.buckets.take(`key ${key}`, limit, weight);
    rejectUnlessTaken('key', taken, 'too_many_key_requests');
    const ofClass = await this.buckets.take(
      `${requestClass} ${ownerOf(holder)}`,
      this.classLimit(requestClass),
      weight,
    );
    rejectUnlessTaken(requestClass, ofClass, TOO_MANY[requestClass]);
    return budgetOf(taken, limit);
  }

  private classLimit(requestClass: RequestClass): Limit {
    const { LIMIT_READS_PER_SECOND, LIMIT_WRITES_PER_SECOND, LIMIT_CARDS_PER_SECOND } = this.settings;
    const limits = { read: LIMIT_READS_PER_SECOND, write: LIMIT_WRITES_PER_SECOND, card: LIMIT_CARDS_PER_SECOND };
    return perSecond(limits[requestClass]);
  }
}

const isOfBrowsers = ({ kind }: KeyHolder): boolean => kind === 'public' || kind === 'session';

/** Who shares a limit: all keys of a merchant, apart from them all of its sessions, and each operator. */
const ownerOf = ({ kind, merchant_id, key }: KeyHolder): string =>
  kind === 'session' ? `sessions of ${merchant_id}` : merchant_id || key;

const TOO_MANY = { read: 'too_many_reads', write: 'too_many_writes', card: 'too_many_cards' } as const;

/** Two seconds' worth at once. */
const perSecond = (requests: number): Limit => ({ perSecond: requests, burst: 2 * requests });
