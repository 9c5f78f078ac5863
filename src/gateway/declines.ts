/**
 * Prevents card testing: limits the declines per hour of a merchant, a device, an address and a range of card numbers. An
 * attempt counts when it begins, so that parallel attempts cannot exceed the limit. An approval returns the attempt and
 * adds allowance, because a merchant with many payers has many declines. Renewals never count.
 */
import { createHash } from 'node:crypto';
import { formatMoment } from '../../workflows/calendar';
import type { Database } from '../platform/database/connection';
import { ApiError } from '../platform/errors';
import { newId } from '../platform/identifiers';
import type { Buckets, Limit, Taken } from '../platform/limits/buckets';
import { networkOf } from '../platform/limits/network';
import { countLimitHit } from '../platform/metrics/counters';
import type { AcquirerAnswer } from './acquirer/port';

/** The known origin of an attempt. */
export interface AttemptOrigin {
  /** device_session_id */
  device?: string | null | undefined;
  /** IP address of the browser that created the token. */
  address?: string | null | undefined;
  /** Masked. */
  card_number?: string | undefined;
}

export interface CardAttempt {
  /** Records the acquirer's answer and newly known parts of the origin. Without an answer the attempt does not count. */
  end(answer: AcquirerAnswer | undefined, origin?: AttemptOrigin): Promise<void>;
}

type ScopeKind = 'merchant' | 'device' | 'address' | 'card_range';

interface Scope {
  kind: ScopeKind;
  value: string;
  name: string;
  limit: Limit;
}

/** Share of the merchant's limit per scope. */
const SHARES: Record<ScopeKind, number> = { merchant: 1, card_range: 1 / 3, address: 1 / 6, device: 1 / 15 };
/** Share that a process allows without a query. The merchant scope has none, because shares of processes add up. */
const LOCAL_SHARES: Record<ScopeKind, number> = { merchant: 0, card_range: 0.1, address: 0.1, device: 0.1 };
const COOL_DOWN_SECONDS = 15 * 60;
/** Declines that an approved attempt offsets. */
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
  async begin(merchant_id: string, origin: AttemptOrigin): Promise<CardAttempt> {
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
      end: async (answer, laterOrigin = {}) => {
        if (hasEnded) return;
        hasEnded = true;
        if (!answer) this.release(begun, 1);
        else if (answer.approved) this.release(begun, 1 + APPROVAL_CREDIT);
        // A database failure must not hide the decline from the caller.
        else await this.countDecline(merchant_id, begun, laterOrigin).catch(() => undefined);
      },
    };
  }

  /** Throws if an attempt could not begin now. */
  async check(merchant_id: string, origin: AttemptOrigin): Promise<void> {
    await (await this.begin(merchant_id, origin)).end(undefined);
  }

  /** Counts the decline for every scope, including late ones. An exhausted scope starts its cool-down. */
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

  private async alert(merchant_id: string, { kind, value, limit }: Scope): Promise<void> {
    const creation_date = new Date();
    const until = formatMoment(creation_date.getTime() + COOL_DOWN_SECONDS * 1000);
    const object = { limit: 'declined_cards', scope: kind, value: value || null, per_hour: limit.burst, until };
    await this.db.event.create({
      data: { id: newId('event'), merchant_id, type: 'fraud.alert', object_id: merchant_id, object, creation_date },
    });
  }

  private scopesOf(merchant_id: string, { device, address, card_number }: AttemptOrigin): [Scope, ...Scope[]] {
    const scope = (kind: ScopeKind, value: string): Scope => {
      const burst = Math.max(1, Math.floor(this.perHour * SHARES[kind]));
      const limit: Limit = {
        perSecond: burst / 3600,
        burst,
        coolDownSeconds: COOL_DOWN_SECONDS,
        localAllowance: Math.floor(burst * LOCAL_SHARES[kind]),
      };
      // A hash, because client-supplied values can have any form.
      const hash = createHash('sha256').update(value).digest('hex').slice(0, 32);
      return { kind, value, name: `declines ${kind} ${merchant_id} ${hash}`, limit };
    };
    return [
      scope('merchant', ''),
      ...(device ? [scope('device', device)] : []),
      ...(address ? [scope('address', networkOf(address))] : []),
      ...(card_number ? [scope('card_range', card_number.slice(0, RANGE_DIGITS))] : []),
    ];
  }
}
