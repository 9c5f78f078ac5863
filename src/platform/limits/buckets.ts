/**
 * Token buckets shared by all API processes without one SQL statement per request: a process takes portions of tokens
 * from the database and requests the next one before it runs out. It does not query a bucket known to be empty.
 */
import type { Database } from '../database/connection';
import { takePortion } from './rows';

export interface Limit {
  perSecond: number;
  /** Capacity of the bucket. */
  burst: number;
  /** Seconds that an empty bucket stays empty. */
  coolDownSeconds?: number;
  /** Tokens that a process may use before its first portion arrives. */
  localAllowance?: number;
}

export interface Taken {
  isAllowed: boolean;
  remaining: number;
  /** Delay before a retry can succeed. */
  waitSeconds: number;
}

interface Stock {
  limit: Limit;
  tokens: number;
  /** Tokens used before the database granted them. */
  overdraft: number;
  /** Tokens that requests are waiting for. */
  demand: number;
  /** Tokens left in the database after the latest portion. */
  left: number;
  emptyUntil: number;
  coolsUntil: number;
  usedAt: number;
  pending: Promise<void> | undefined;
}

const MAX_LOCAL_ALLOWANCE = 20;
/** Duration of a portion at full speed. */
const PORTION_SECONDS = 0.1;
const MIN_PORTION_TOKENS = 10;
/** A bucket with a cool-down is scarce, so a process takes small portions of it. */
const MAX_PORTION_SHARE = 0.05;
const MAX_IDLE_MS = 60_000;

export class Buckets {
  private readonly stocks = new Map<string, Stock>();
  private readonly idleCheck = setInterval(() => this.returnIdle(Date.now() - MAX_IDLE_MS), MAX_IDLE_MS / 2).unref();

  constructor(private readonly db: Database) {}

  async take(scope: string, limit: Limit, count = 1): Promise<Taken> {
    const stock = this.stockOf(scope, limit);
    stock.usedAt = Date.now();
    while (stock.tokens < count && Date.now() >= stock.emptyUntil) {
      stock.demand += count;
      await this.requestPortion(scope, stock);
      stock.demand -= count;
    }
    const isAllowed = stock.tokens >= count && Date.now() >= stock.coolsUntil;
    if (isAllowed) stock.tokens -= count;
    // A bucket with a cool-down is scarce: no tokens are requested in advance.
    const isLow = stock.tokens < portionOf(limit) / 2 && limit.coolDownSeconds === undefined;
    if (isLow && Date.now() >= stock.emptyUntil) void this.requestPortion(scope, stock);
    return {
      isAllowed,
      remaining: Math.floor(Math.max(0, stock.tokens) + stock.left),
      waitSeconds: Math.max(1, Math.ceil((Math.max(stock.emptyUntil, stock.coolsUntil) - Date.now()) / 1000)),
    };
  }

  /** Takes tokens even if there are not enough; later requests wait for them. */
  debit(scope: string, limit: Limit, count: number): void {
    this.stockOf(scope, limit).tokens -= count;
  }

  /** Returns tokens of a request that does not count, or adds earned ones. */
  credit(scope: string, limit: Limit, count: number): void {
    const stock = this.stockOf(scope, limit);
    stock.tokens += count;
    if (stock.tokens > 2 * portionOf(limit)) this.returnTokens(scope, stock, stock.tokens - portionOf(limit));
  }

  /**
   * Begins the cool-down of an empty bucket; returns whether this call began it. `take` does not, because tokens in use
   * may be returned.
   */
  async coolDownIfEmpty(scope: string, limit: Limit): Promise<boolean> {
    const stock = this.stockOf(scope, limit);
    // One at a time: two concurrent exchanges would take the last tokens, and a third would find none.
    while (stock.pending) await stock.pending;
    if (stock.tokens >= 1) return false;
    const { overdraft } = stock;
    let isEmptied = false;
    stock.pending = this.exchange(scope, limit, 1 + overdraft)
      .then(portion => {
        if (!portion) return;
        stock.tokens += portion.granted - overdraft;
        stock.overdraft -= overdraft;
        if (portion.is_blocked) stock.coolsUntil = Date.now() + portion.wait_seconds * 1000;
        isEmptied = portion.is_emptied;
      })
      // The cool-down needs a database.
      .catch(() => undefined)
      .finally(() => {
        stock.pending = undefined;
      });
    await stock.pending;
    return isEmptied;
  }

  async close(): Promise<void> {
    clearInterval(this.idleCheck);
    await Promise.all([...this.stocks.values()].map(({ pending }) => pending));
    await Promise.all([...this.stocks].map(([scope, stock]) => this.returnTokens(scope, stock, stock.tokens)));
  }

  private stockOf(scope: string, limit: Limit): Stock {
    const existing = this.stocks.get(scope);
    if (existing) return existing;
    const first = limit.localAllowance ?? Math.min(MAX_LOCAL_ALLOWANCE, Math.floor(limit.burst / 10));
    const counters = {
      overdraft: first,
      demand: 0,
      left: limit.burst - first,
      emptyUntil: 0,
      coolsUntil: 0,
      usedAt: 0,
    };
    const stock = { limit, tokens: first, ...counters, pending: undefined };
    this.stocks.set(scope, stock);
    return stock;
  }

  /** Concurrent requests wait for the same portion. */
  private requestPortion(scope: string, stock: Stock): Promise<void> {
    stock.pending ??= this.receive(scope, stock).finally(() => {
      stock.pending = undefined;
    });
    return stock.pending;
  }

  private async receive(scope: string, stock: Stock): Promise<void> {
    const { limit, overdraft } = stock;
    const requested = Math.max(portionOf(limit), stock.demand) + overdraft;
    // Without a database no request has an effect, so the limit does not apply.
    const whole = { granted: requested, tokens: 0, wait_seconds: 0, is_blocked: false };
    const portion = await this.exchange(scope, { ...limit, coolDownSeconds: 0 }, requested).catch(() => whole);
    // A concurrent exchange returns tokens of this bucket and comes first.
    if (!portion) return;
    stock.overdraft -= overdraft;
    stock.tokens += portion.granted - overdraft;
    stock.left = portion.tokens;
    stock.emptyUntil = 0;
    if (portion.is_blocked) stock.coolsUntil = Date.now() + portion.wait_seconds * 1000;
    if (portion.granted === requested) return;
    // Wait until half a portion has refilled; otherwise each token would need its own SQL statement.
    const isBlocked = limit.coolDownSeconds === undefined || portion.granted < 1;
    const fillSeconds = limit.coolDownSeconds === undefined ? portionOf(limit) / 2 / limit.perSecond : 0;
    const waitSeconds = isBlocked ? Math.max(portion.wait_seconds, fillSeconds) : 0;
    stock.emptyUntil = Date.now() + waitSeconds * 1000;
  }

  private exchange(scope: string, { perSecond, burst, coolDownSeconds = 0 }: Limit, requested: number) {
    return takePortion(this.db, { scope, requested, perSecond, burst, coolDownSeconds });
  }

  /** Settles the overdraft as well. */
  private async returnTokens(scope: string, stock: Stock, count: number): Promise<void> {
    const returned = count - stock.overdraft;
    if (Math.abs(returned) < 1) return;
    stock.tokens -= count;
    stock.overdraft = 0;
    // Only the first of two concurrent exchanges runs.
    while (!(await this.exchange(scope, stock.limit, -returned).catch(() => true)));
  }

  private returnIdle(since: number): void {
    for (const [scope, stock] of this.stocks) {
      // A dropped empty bucket would start again with its local allowance.
      if (stock.usedAt > since || stock.pending || Date.now() < Math.max(stock.emptyUntil, stock.coolsUntil)) continue;
      this.stocks.delete(scope);
      void this.returnTokens(scope, stock, stock.tokens);
    }
  }
}

const portionOf = ({ perSecond, burst, coolDownSeconds }: Limit): number =>
  coolDownSeconds === undefined
    ? Math.min(burst, Math.max(MIN_PORTION_TOKENS, perSecond * PORTION_SECONDS))
    : Math.max(1, Math.floor(burst * MAX_PORTION_SHARE));
