/**
 * Token buckets that all API processes share without a statement for each request: a process takes tokens from the
 * database in portions, and asks for the next one before it runs out. A bucket that is known to be empty is not asked.
 */
import type { Database } from '../database/connection';
import { takePortion } from './rows';

export interface Limit {
  perSecond: number;
  /** What a bucket holds that was not used for a while. */
  burst: number;
  /** How long a bucket stays empty once it is. */
  coolDownSeconds?: number;
  /** How many a process may use before it has asked; otherwise so many that nobody waits for the first portion. */
  unasked?: number;
}

export interface Taken {
  isAllowed: boolean;
  remaining: number;
  /** Until it is worth trying again. */
  waitSeconds: number;
}

interface Stock {
  limit: Limit;
  tokens: number;
  /** Tokens that were used before the database had granted them. */
  owed: number;
  /** Who waits for tokens. */
  wanted: number;
  /** What the bucket held after the latest portion. */
  left: number;
  emptyUntil: number;
  coolsUntil: number;
  usedAt: number;
  asking: Promise<void> | undefined;
}

const MAX_UNASKED_TOKENS = 20;
/** Of a second: how long a portion lasts at full speed. */
const PORTION_SECONDS = 0.1;
const MIN_PORTION_TOKENS = 10;
/** Of a bucket with a cool-down, so that a process keeps few that others may need. */
const MAX_PORTION_SHARE = 0.05;
const MAX_IDLE_MS = 60_000;

export class Buckets {
  private readonly stocks = new Map<string, Stock>();
  private readonly idleCheck = setInterval(() => this.giveBackIdle(Date.now() - MAX_IDLE_MS), MAX_IDLE_MS / 2).unref();

  constructor(private readonly db: Database) {}

  async take(scope: string, limit: Limit, count = 1): Promise<Taken> {
    const stock = this.stockOf(scope, limit);
    stock.usedAt = Date.now();
    while (stock.tokens < count && Date.now() >= stock.emptyUntil) {
      stock.wanted += count;
      await this.ask(scope, stock);
      stock.wanted -= count;
    }
    const isAllowed = stock.tokens >= count && Date.now() >= stock.coolsUntil;
    if (isAllowed) stock.tokens -= count;
    // Of a bucket with a cool-down nothing is taken in advance, because others may need it.
    const isLow = stock.tokens < portionOf(limit) / 2 && limit.coolDownSeconds === undefined;
    if (isLow && Date.now() >= stock.emptyUntil) void this.ask(scope, stock);
    return {
      isAllowed,
      remaining: Math.floor(Math.max(0, stock.tokens) + stock.left),
      waitSeconds: Math.max(1, Math.ceil((Math.max(stock.emptyUntil, stock.coolsUntil) - Date.now()) / 1000)),
    };
  }

  /** For what did not count after all, and for what earns some. */
  giveBack(scope: string, limit: Limit, count: number): void {
    const stock = this.stockOf(scope, limit);
    stock.tokens += count;
    if (stock.tokens > 2 * portionOf(limit)) this.returnTokens(scope, stock, stock.tokens - portionOf(limit));
  }

  /**
   * Begins the cool-down of a bucket that is empty, and tells whether it has begun just now. Not whenever it is found
   * empty, since tokens that are in use may come back.
   */
  async coolDownIfEmpty(scope: string, limit: Limit): Promise<boolean> {
    const stock = this.stockOf(scope, limit);
    // One after the other: two that ask at once would take the last tokens, and a third would find none.
    while (stock.asking) await stock.asking;
    if (stock.tokens >= 1) return false;
    const { owed } = stock;
    let isEmptied = false;
    stock.asking = this.exchange(scope, limit, 1 + owed)
      .then(portion => {
        if (!portion) return;
        stock.tokens += portion.granted - owed;
        stock.owed -= owed;
        if (portion.is_blocked) stock.coolsUntil = Date.now() + portion.wait_seconds * 1000;
        isEmptied = portion.is_emptied;
      })
      // Without a database nothing cools down.
      .catch(() => undefined)
      .finally(() => {
        stock.asking = undefined;
      });
    await stock.asking;
    return isEmptied;
  }

  async close(): Promise<void> {
    clearInterval(this.idleCheck);
    await Promise.all([...this.stocks.values()].map(({ asking }) => asking));
    await Promise.all([...this.stocks].map(([scope, stock]) => this.returnTokens(scope, stock, stock.tokens)));
  }

  private stockOf(scope: string, limit: Limit): Stock {
    const existing = this.stocks.get(scope);
    if (existing) return existing;
    const first = limit.unasked ?? Math.min(MAX_UNASKED_TOKENS, Math.floor(limit.burst / 10));
    const counters = { owed: first, wanted: 0, left: limit.burst - first, emptyUntil: 0, coolsUntil: 0, usedAt: 0 };
    const stock = { limit, tokens: first, ...counters, asking: undefined };
    this.stocks.set(scope, stock);
    return stock;
  }

  /** Those who need tokens at the same time wait for the same portion. */
  private ask(scope: string, stock: Stock): Promise<void> {
    stock.asking ??= this.receive(scope, stock).finally(() => {
      stock.asking = undefined;
    });
    return stock.asking;
  }

  private async receive(scope: string, stock: Stock): Promise<void> {
    const { limit, owed } = stock;
    const wanted = Math.max(portionOf(limit), stock.wanted) + owed;
    // Without a database no request does anything, so there is nothing to limit.
    const whole = { granted: wanted, tokens: 0, wait_seconds: 0, is_blocked: false };
    const portion = await this.exchange(scope, { ...limit, coolDownSeconds: 0 }, wanted).catch(() => whole);
    // Tokens of this bucket were given back in the same moment. They come first.
    if (!portion) return;
    stock.owed -= owed;
    stock.tokens += portion.granted - owed;
    stock.left = portion.tokens;
    stock.emptyUntil = 0;
    if (portion.is_blocked) stock.coolsUntil = Date.now() + portion.wait_seconds * 1000;
    if (portion.granted === wanted) return;
    // Half a portion must have filled up, or each token would be asked for by itself.
    const isBlocked = limit.coolDownSeconds === undefined || portion.granted < 1;
    const fillSeconds = limit.coolDownSeconds === undefined ? portionOf(limit) / 2 / limit.perSecond : 0;
    const waitSeconds = isBlocked ? Math.max(portion.wait_seconds, fillSeconds) : 0;
    stock.emptyUntil = Date.now() + waitSeconds * 1000;
  }

  private exchange(scope: string, { perSecond, burst, coolDownSeconds = 0 }: Limit, wanted: number) {
    return takePortion(this.db, { scope, wanted, perSecond, burst, coolDownSeconds });
  }

  /** Together with what is owed: a process that has used more than it was granted takes that now. */
  private async returnTokens(scope: string, stock: Stock, count: number): Promise<void> {
    const returned = count - stock.owed;
    if (Math.abs(returned) < 1) return;
    stock.tokens -= count;
    stock.owed = 0;
    // Of two exchanges in the same moment only the first is made.
    while (!(await this.exchange(scope, stock.limit, -returned).catch(() => true)));
  }

  private giveBackIdle(since: number): void {
    for (const [scope, stock] of this.stocks) {
      // One that is empty would begin anew with what needs no asking.
      if (stock.usedAt > since || stock.asking || Date.now() < Math.max(stock.emptyUntil, stock.coolsUntil)) continue;
      this.stocks.delete(scope);
      void this.returnTokens(scope, stock, stock.tokens);
    }
  }
}

const portionOf = ({ perSecond, burst, coolDownSeconds }: Limit): number =>
  coolDownSeconds === undefined
    ? Math.min(burst, Math.max(MIN_PORTION_TOKENS, perSecond * PORTION_SECONDS))
    : Math.max(1, Math.floor(burst * MAX_PORTION_SHARE));
