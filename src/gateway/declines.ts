/**
 * Prevents card testing: limits the declines per hour of a merchant, a device, an address and a range of card numbers. An
 * attempt counts when it begins, so that parallel attempts cannot exceed the limit, and an approval returns it. Each
 * origin has its own limits, so that attempts in browsers never stop the merchant's server. Renewals never count.
 */
import { createHash } from 'node:crypto';
import { formatMoment } from '../../workflows/calendar';
import type { Database } from '../platform/database/connection';
import { ApiError } from '../platform/errors';
import { newId } from '../platform/identifiers';
import type { Buckets, Limit, Taken } from '../platform/limits/buckets';
import { networkOf } from '../platform/limits/network';
import { countLimitHit } from '../platform/metrics/counters';

/** Payment pages, tokens that a browser created, sessions, and the merchant's server. */
type OriginKind = 'page' | 'token' | 'session' | 'server';

/** The known origin of an attempt. */
export interface AttemptOrigin {
  from: OriginKind;
  /** device_session_id */
  device?: string | null | undefined;
  /** IP address of the browser. */
  address?: string | null | undefined;
  /** Masked. */
  card_number?: string | undefined;
}

export interface CountedAttempt {
  /** Records the acquirer's answer and the card number if it was unknown. Without an answer the attempt does not count. */
  end(answer: { approved: boolean } | undefined, card_number?: string): Promise<void>;
}

type ScopeKind = 'merchant' | 'device' | 'address' | 'card_range';

interface Scope {
  kind: ScopeKind;
  from: OriginKind;
  value: string;
  name: string;
  limit: Limit;
}

/** Share of the merchant's limit per scope. */
const SHARES: Record<ScopeKind, number> = { merchant: 1, card_range: 1 / 3, address: 1 / 12, device: 1 / 15 };
/** Lower in browsers, so that a flood reaches the limits of its devices long before those of the merchant. */
const BROWSER_DEVICE_SHARE = 1 / 30;
/** Share that a process allows without a query. The merchant scope has none, because shares of processes add up. */
const LOCAL_SHARES: Record<ScopeKind, number> = { merchant: 0, card_range: 0.1, address: 0.1, device: 0.1 };
const COOL_DOWN_SECONDS = 15 * 60;
/**
 * Declines of the merchant that an approved attempt offsets, because a merchant with many payers has many declines. The
 * other scopes get no credit: an attacker can add approvals of a good card.
 */
const APPROVAL_CREDIT = 0.5;
const RANGE_DIGITS = 6;

export class DeclineLimits {
  constructor(
    private readonly db: Database,
    private readonly buckets: Buckets,
    private readonly perHour: number,
  ) {}

  /**
   * Throws at too many declined or pending attempts. An attempt refused for its own origin leaves the merchant's limit
   * untouched, so that a flood from one origin does not block the other payers.
   */
  async begin(merchant_id: string, origin: AttemptOrigin): Promise<CountedAttempt> {
    const [merchantScope, ...originScopes] = this.scopesOf(merchant_id, origin);
    const begun: Scope[] = [];
    for (const scopes of [originScopes, [merchantScope]]) {
      const taken = await Promise.all(scopes.map(({ name, limit }) => this.buckets.take(name, limit)));
      begun.push(...scopes.filter((_, i) => taken[i]?.isAllowed));
      for (const [i, scope] of scopes.entries())
        if (taken[i] && !taken[i].isAllowed) this.refuse(scope, taken[i], begun);
    }
    let hasEnded = false;
    return {
      end: async (answer, card_number) => {
        if (hasEnded) return;
        hasEnded = true;
        if (!answer || answer.approved) this.release(begun, 1);
        if (answer?.approved) this.release([merchantScope], APPROVAL_CREDIT);
        // A database failure must not hide the decline from the caller.
        if (answer && !answer.approved)
          await this.countDecline(merchant_id, begun, { from: origin.from, card_number }).catch(() => undefined);
      },
    };
  }

  /** Throws if an attempt could not begin now. */
  async check(merchant_id: string, origin: AttemptOrigin): Promise<void> {
    await (await this.begin(merchant_id, origin)).end(undefined);
  }

  /** Counts the decline for every scope, including that of a late card number. An exhausted scope starts its cool-down. */
  private async countDecline(merchant_id: string, begun: Scope[], laterOrigin: AttemptOrigin): Promise<void> {
    const counted = new Set(begun.map(({ name }) => name));
    const late = this.scopesOf(merchant_id, laterOrigin).filter(({ name }) => !counted.has(name));
    for (const { name, limit } of late) await this.buckets.take(name, limit);
    for (const scope of [...begun, ...late])
      if (await this.buckets.coolDownIfEmpty(scope.name, scope.limit)) await this.alert(merchant_id, scope);
  }

  private release(scopes: readonly Scope[], count: number): void {
    for (const { name, limit } of scopes) this.buckets.credit(name, limit, count);
  }

  private refuse(scope: Scope, taken: Taken, begun: Scope[]): never {
    this.release(begun, 1);
    countLimitHit('declined_cards');
    const retry_after = taken.waitSeconds;
    if (scope.kind === 'merchant') throw new ApiError('too_many', 'too_many_declines', { retry_after });
    throw new ApiError('too_many', 'too_many_declines_here', { scope: scope.kind, retry_after });
  }

  private async alert(merchant_id: string, { kind, from, value, limit }: Scope): Promise<void> {
    const creation_date = new Date();
    const until = formatMoment(creation_date.getTime() + COOL_DOWN_SECONDS * 1000);
    const object = {
      limit: 'declined_cards',
      origin: from,
      scope: kind,
      value: value || null,
      per_hour: limit.burst,
      until,
    };
    await this.db.event.create({
      data: { id: newId('event'), merchant_id, type: 'fraud.alert', object_id: merchant_id, object, creation_date },
    });
  }

  private scopesOf(merchant_id: string, { from, device, address, card_number }: AttemptOrigin): [Scope, ...Scope[]] {
    const scope = (kind: ScopeKind, value: string): Scope => {
      const share = kind === 'device' && from !== 'server' ? BROWSER_DEVICE_SHARE : SHARES[kind];
      const burst = Math.max(1, Math.floor(this.perHour * share));
      const limit: Limit = {
        perSecond: burst / 3600,
        burst,
        coolDownSeconds: COOL_DOWN_SECONDS,
        localAllowance: Math.floor(burst * LOCAL_SHARES[kind]),
      };
      // A hash, because client-supplied values can have any form.
      const hash = createHash('sha256').update(value).digest('hex').slice(0, 32);
      return { kind, from, value, name: `declines ${kind} ${from} ${merchant_id} ${hash}`, limit };
    };
    return [
      scope('merchant', ''),
      ...(device ? [scope('device', device)] : []),
      ...(address ? [scope('address', networkOf(address))] : []),
      ...(card_number ? [scope('card_range', card_number.slice(0, RANGE_DIGITS))] : []),
    ];
  }
}
