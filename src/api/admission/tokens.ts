/** Takes the tokens of requests from the buckets of their key and their merchant. */
import type { KeyHolder } from '../../accounts/merchants/apiKeyCache';
import type { Buckets, Limit } from '../../platform/limits/buckets';
import type { LimitSettings } from '../../platform/limits/settings';
import { type Budget, budgetOf } from './budget';
import { rejectUnlessAllowed } from './refusal';
import type { RequestClass, RequestSize } from './requestSize';

const MISTAKE_WEIGHT = 10;

export class RequestTokens {
  constructor(
    private readonly buckets: Buckets,
    private readonly settings: LimitSettings,
  ) {}

  /** Throws if a limit is exceeded. */
  async take(holder: KeyHolder, { requestClass, weight }: RequestSize): Promise<Budget> {
    const limit = this.keyLimit(holder);
    const taken = await this.buckets.take(keyScope(holder), limit, weight);
    rejectUnlessAllowed('key', taken, 'too_many_key_requests');
    const classLimit = this.classLimit(requestClass);
    const ofClass = await this.buckets.take(classScope(holder, requestClass), classLimit, weight);
    rejectUnlessAllowed(requestClass, ofClass, TOO_MANY[requestClass]);
    return budgetOf(taken, limit);
  }

  private keyLimit(holder: KeyHolder): Limit {
    const { LIMIT_REQUESTS_PER_SECOND, LIMIT_TOKENS_PER_SECOND, LIMIT_TOKENS_AT_ONCE } = this.settings;
    return isFromBrowser(holder)
      ? { perSecond: LIMIT_TOKENS_PER_SECOND, burst: LIMIT_TOKENS_AT_ONCE }
      : perSecond(LIMIT_REQUESTS_PER_SECOND);
  }

  private classLimit(requestClass: RequestClass): Limit {
    const { LIMIT_READS_PER_SECOND, LIMIT_WRITES_PER_SECOND, LIMIT_CARDS_PER_SECOND } = this.settings;
    const limits = { read: LIMIT_READS_PER_SECOND, write: LIMIT_WRITES_PER_SECOND, card: LIMIT_CARDS_PER_SECOND };
    return perSecond(limits[requestClass]);
  }

  /**
   * Adds a penalty for an invalid request. Browsers share their limits: the mistakes of one payer must not block other
   * payers, and those of a session only block the session.
   */
  takeForMistake(holder: KeyHolder, requestClass: RequestClass): void {
    if (holder.kind === 'public') return;
    this.buckets.debit(keyScope(holder), this.keyLimit(holder), MISTAKE_WEIGHT);
    if (holder.kind === 'session') return;
    this.buckets.debit(classScope(holder, requestClass), this.classLimit(requestClass), MISTAKE_WEIGHT);
  }
}

const isFromBrowser = ({ kind }: KeyHolder): boolean => kind === 'public' || kind === 'session';

/** The owner of a limit: all keys of a merchant, all of its sessions, or an operator. */
export const ownerOf = ({ kind, merchant_id, key }: KeyHolder): string =>
  kind === 'session' ? `sessions of ${merchant_id}` : merchant_id || key;

const keyScope = ({ key }: KeyHolder): string => `key ${key}`;
const classScope = (holder: KeyHolder, requestClass: RequestClass): string => `${requestClass} ${ownerOf(holder)}`;

const TOO_MANY = { read: 'too_many_reads', write: 'too_many_writes', card: 'too_many_cards' } as const;

/** Allows bursts of two seconds. */
const perSecond = (requests: number): Limit => ({ perSecond: requests, burst: 2 * requests });
