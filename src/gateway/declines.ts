/**
 * Keeps stolen card numbers from being tried out here: so many cards may be declined in an hour, of one merchant, one
 * device, one address and one range of numbers. An attempt counts when it begins, so that many at once are no way
 * around it, and not any more once it is approved. What is approved earns more of it: a merchant with many payers has
 * many declines. Renewals never count.
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

/** Where an attempt comes from, as far as it is known. */
export interface AttemptOrigin {
  /** The device_session_id. */
  device?: string | null | undefined;
  /** Of the browser that made the token. */
  address?: string | null | undefined;
  /** The masked number. */
  card_number?: string | undefined;
}

export interface CardAttempt {
  /** With what the acquirer answered, and what has become known of the origin. Without an answer it does not count. */
  end(answer: AcquirerAnswer | undefined, origin?: AttemptOrigin): Promise<void>;
}

type ScopeKind = 'merchant' | 'device' | 'address' | 'card_range';

interface Scope {
  kind: ScopeKind;
  value: string;
  name: string;
  limit: Limit;
}

/** Parts of what a merchant may have. */
const SHARES: Record<ScopeKind, number> = { merchant: 1, card_range: 1 / 3, address: 1 / 6, device: 1 / 15 };
/** Most devices try few cards, and should cost no statement. Many processes must not add up for a merchant. */
const UNASKED_SHARES: Record<ScopeKind, number> = { merchant: 0, card_range: 0.1, address: 0.1, device: 0.1 };
const COOL_DOWN_SECONDS = 15 * 60;
/** An approved attempt makes up for half a declined one. */
const EARNED_BY_APPROVAL = 0.5;
const RANGE_DIGITS = 6;

export class DeclineLimits {
  constructor(
    private readonly db: Database,
    private readonly buckets: Buckets,
    private readonly perHour: number,
  ) {}

  /**
   * Throws where too many were declined, or are on their way. What is refused for its own origin has not touched what
   * the merchant has: a flood from one place would otherwise look like the end of it, and stop all others.
   */
  async begin(merchant_id: string, origin: AttemptOrigin): Promise<CardAttempt> {
    const [ofMerchant, ...ofOrigin] = this.scopesOf(merchant_id, origin);
    const begun: Scope[] = [];
    for (const scopes of [ofOrigin, [ofMerchant]]) {
      const taken = await Promise.all(scopes.map(({ name, limit }) => this.buckets.take(name, limit)));
      begun.push(...scopes.filter((_, i) => taken[i]?.isAllowed));
      for (const [i, scope] of scopes.entries())
        if (taken[i] && !taken[i].isAllowed) this.refuse(scope, taken[i], begun);
    }
    let isOver = false;
    return {
      end: async (answer, more = {}) => {
        if (isOver) return;
        isOver = true;
        if (!answer) this.giveBack(begun, 1);
        else if (answer.approved) this.giveBack(begun, 1 + EARNED_BY_APPROVAL);
        // Without a database there is nobody to tell, and the decline itself is what the caller must learn.
        else await this.countDecline(merchant_id, begun, more).catch(() => undefined);
      },
    };
  }

  /** For what only prepares an attempt: throws where none could begin now. */
  async check(merchant_id: string, origin: AttemptOrigin): Promise<void> {
    await (await this.begin(merchant_id, origin)).end(undefined);
  }

  /** For every part of its origin, also for those that became known late. The last one begins a cool-down. */
  private async countDecline(merchant_id: string, begun: Scope[], more: AttemptOrigin): Promise<void> {
    const counted = new Set(begun.map(({ name }) => name));
    const late = this.scopesOf(merchant_id, more).filter(({ name }) => !counted.has(name));
    for (const { name, limit } of late) await this.buckets.take(name, limit);
    for (const scope of [...begun, ...late])
      if (await this.buckets.coolDownIfEmpty(scope.name, scope.limit)) await this.alert(merchant_id, scope);
  }

  private giveBack(scopes: readonly Scope[], count: number): void {
    for (const { name, limit } of scopes) this.buckets.credit(name, limit, count);
  }

  private refuse(scope: Scope, taken: Taken, begun: Scope[]): never {
    this.giveBack(begun, 1);
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
      const coolDown = { coolDownSeconds: COOL_DOWN_SECONDS, localAllowance: Math.floor(burst * UNASKED_SHARES[kind]) };
      const limit = { perSecond: burst / 3600, burst, ...coolDown };
      // A hash, since a text of somebody else may hold anything.
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
