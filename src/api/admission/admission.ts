/** Admits requests within the limits of their key and merchant, in turn with other merchants. */

import type { KeyHolder } from '../../accounts/merchants/apiKeyCache';
import type { Buckets } from '../../platform/limits/buckets';
import { networkOf } from '../../platform/limits/network';
import type { LimitSettings } from '../../platform/limits/settings';
import { FairQueue } from '../../platform/traffic/fairQueue';
import { LoopDelay } from '../../platform/traffic/loopDelay';
import { type Budget, budgetHeaders } from './budget';
import { RecentlySeen } from './recentlySeen';
import { count, rejectUnlessAllowed } from './refusal';
import { isLarge, type RequestSize } from './requestSize';
import { SlowRefusals } from './slowRefusals';
import { ownerOf, RequestTokens } from './tokens';
import { WorkSlot } from './workSlot';

export interface Entry {
  /** Rate limit headers. */
  headers: Record<string, string>;
  /** The current budget of the key. */
  budget(): Budget;
  /** Releases this request's work slot during external I/O. */
  yieldSlotWhile<T>(io: () => Promise<T>): Promise<T>;
  /** Adds the cost of the request when it is known. Throws if it exceeds the limit. */
  takeMore(size: RequestSize): Promise<void>;
  /** Adds a penalty for an invalid request, which a broken or hostile client may repeat. */
  countMistake(): void;
  /** Keeps the request in flight until its last part is sent, but releases its slot in between. */
  openStream(): StreamSlot;
  leave(): void;
}

/** The parts of a response run one at a time, like large responses. */
export interface StreamSlot {
  take<T>(work: () => Promise<T>): Promise<T>;
  end(): void;
}

/** Requests that a process works on at once, without those that wait for external I/O. */
const MAX_WORKING = 64;
/** Slots for a merchant when no other merchant is active: enough for full batches, and soon free again. */
const MAX_WORKING_ALONE = 24;
/** Slots for a merchant when other merchants are active. */
const MAX_WORKING_OF_MERCHANT = 4;
/** Concurrent large responses while they do not delay other requests. */
const MAX_LARGE = 8;
/** Event loop delay above which fewer large responses run at once. */
const MAX_CALM_DELAY_MS = 10;
const LARGE_PAUSE_FACTOR = 3;
const MAX_LARGE_PAUSE_MS = 2000;

export class Admission {
  private readonly inFlight = new Map<string, number>();
  private readonly streams = new Map<string, number>();
  private readonly bodies = new Map<string, number>();
  private readonly merchants = new RecentlySeen();
  private readonly working = new FairQueue(
    () => MAX_WORKING,
    () => (this.merchants.count() > 1 ? MAX_WORKING_OF_MERCHANT : MAX_WORKING_ALONE),
  );
  private readonly refusals = new SlowRefusals();
  private readonly loopDelay = new LoopDelay();
  private readonly large = new FairQueue(
    () => Math.max(1, Math.floor((MAX_LARGE * MAX_CALM_DELAY_MS) / Math.max(this.loopDelay.ms(), MAX_CALM_DELAY_MS))),
    () => 1,
  );

  readonly tokens: RequestTokens;

  constructor(
    private readonly buckets: Buckets,
    private readonly settings: LimitSettings,
  ) {
    this.tokens = new RequestTokens(buckets, settings);
  }

  /** Throws if a limit is exceeded. An admitted request must leave. */
  async enter(holder: KeyHolder, size: RequestSize): Promise<Entry> {
    const { key, merchant_id } = holder;
    const max = this.settings.LIMIT_REQUESTS_IN_FLIGHT;
    let leaveFlight: (() => void) | undefined;
    try {
      leaveFlight = count('in_flight', this.inFlight, key, max, 'too_many_in_flight');
      let budget = await this.tokens.take(holder, size);
      this.merchants.see(merchant_id);
      let leaveLarge = isLarge(size) ? await this.takeLarge(merchant_id) : undefined;
      const slot = new WorkSlot(this.working, merchant_id);
      let isInParts = false;
      await slot.take();
      return {
        headers: budgetHeaders(budget),
        budget: () => budget,
        yieldSlotWhile: io => slot.yieldSlotWhile(io),
        takeMore: async more => {
          budget = await this.tokens.take(holder, more);
          if (isLarge(more)) leaveLarge ??= await slot.yieldSlotWhile(() => this.takeLarge(merchant_id));
        },
        countMistake: () => this.tokens.takeForMistake(holder, size.requestClass),
        openStream: () => {
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

  /** Returns a function that closes the stream. */
  async openStream(holder: KeyHolder): Promise<() => void> {
    await this.tokens.take(holder, { requestClass: 'read', weight: 1 });
    const max = this.settings.LIMIT_LIVE_STREAMS;
    return count('live_streams', this.streams, ownerOf(holder), max, 'too_many_streams');
  }

  /** Counts a body that is being received. Returns a function that ends the count. */
  openBody(address: string): () => void {
    const max = this.settings.LIMIT_OPEN_BODIES;
    return count('open_bodies', this.bodies, networkOf(address), max, 'too_many_bodies');
  }

  /** Limits guessed keys by address. Valid keys are never counted. */
  async countWrongKey(address: string): Promise<void> {
    const perMinute = this.settings.LIMIT_WRONG_KEYS_PER_MINUTE;
    const limit = { perSecond: perMinute / 60, burst: perMinute };
    const scope = `address ${networkOf(address)}`;
    const taken = await this.buckets.take(scope, limit);
    if (!taken.isAllowed) await this.refusals.answer(scope);
    rejectUnlessAllowed('wrong_keys', taken, 'too_many_wrong_keys');
  }

  /** If other merchants are active, this one pauses its large requests for several times the duration of the last one. */
  private async takeLarge(merchant_id: string): Promise<() => void> {
    const leave = await this.large.take(merchant_id);
    const startedAt = Date.now();
    return () => {
      const pauseMs = this.merchants.count() > 1 ? LARGE_PAUSE_FACTOR * (Date.now() - startedAt) : 0;
      leave(Math.min(pauseMs, MAX_LARGE_PAUSE_MS));
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
}
