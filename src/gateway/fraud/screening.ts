/** Asks a merchant's rules before the acquirer is asked. */
import type { Database } from '../../platform/database/connection';
import type { VaultKeys } from '../../platform/vault/keys';
import { hashOfFact } from '../../platform/vault/seal';
import type { AcquirerAnswer } from '../acquirer/port';
import { type CounterPlace, nameOfKey, placeOf, UNLIMITED } from './counters';
import { judge, remainsCounted } from './judge';
import { exchange } from './rows';
import type { FraudFacts, FraudRuleRecord, RuleScope } from './rule';
import type { FraudRuleCache } from './ruleCache';
import { LocalDeclineCounter } from './unaskedDeclines';

/** What is looked up only if a rule asks for it. */
export interface PaymentFacts extends Omit<FraudFacts, 'card'> {
  /** Of the card number. */
  fingerprint?: Uint8Array | null | undefined;
  /** A saved card whose fingerprint is not at hand. */
  card_id?: string | null | undefined;
}

/** The same card has the same hash, whichever customer or token it belongs to. */
export const cardHash = (vault: VaultKeys, fingerprint: Uint8Array): string =>
  hashOfFact(vault, fingerprint).toString('hex');

export class FraudScreening {
  private readonly declines = new LocalDeclineCounter();

  constructor(
    private readonly db: Database,
    private readonly vault: VaultKeys,
    private readonly cache: Pick<FraudRuleCache, 'rulesOf' | 'forget'>,
  ) {}

  /** The answer of the acquirer or, without asking it, that of the rules. */
  async screen<T extends AcquirerAnswer | undefined>(
    payment: PaymentFacts,
    send: () => Promise<T>,
  ): Promise<T | AcquirerAnswer> {
    const rules = (await this.cache.rulesOf(payment.merchant_id)).filter(
      ({ applies_to }) => applies_to === 'both' || applies_to === payment.purpose,
    );
    if (rules.length === 0) return send();
    const { refusedBy, counters } = judge(rules, await this.complete(payment, rules));
    if (refusedBy.length > 0) return refusal(refusedBy);
    const places = counters.map(counter => placeOf(this.vault, payment.merchant_id, counter));
    const unasked = places.filter(place => this.declines.begin(place));
    const asked = places.filter(place => !unasked.includes(place));
    const full = await this.take(asked).catch(error => {
      for (const place of unasked) this.declines.end(place);
      throw error;
    });
    if (full.length > 0) {
      await this.end(
        asked.filter(place => !full.includes(place)),
        unasked,
        'none',
      );
      return refusal(full.map(({ rule }) => rule));
    }
    try {
      const answer = await send();
      await this.end(asked, unasked, !answer ? 'none' : answer.approved ? 'approved' : 'declined');
      return answer;
    } catch (error) {
      await this.end(asked, unasked, 'none');
      throw error;
    }
  }

  /** The rules that refuse what has become known with the acquirer's answer. */
  async refusedBy(payment: PaymentFacts): Promise<string[]> {
    const rules = await this.cache.rulesOf(payment.merchant_id);
    return judge(rules, await this.complete(payment, rules)).refusedBy;
  }

  /** For this process; the others are told by the database. */
  forget(merchant_id: string): void {
    this.cache.forget(merchant_id);
  }

  /** Those that were not free. */
  private async take(places: readonly CounterPlace[]): Promise<CounterPlace[]> {
    const taken = await exchange(
      this.db,
      places.map(place => ({ ...place, allowed: place.allowed - this.declines.onTheirWay(place) })),
    );
    for (const place of places) this.declines.learn(place, taken.get(nameOfKey(place.key)));
    return places.filter(({ key }) => !taken.has(nameOfKey(key)));
  }

  /** Gives back what does not count after all. The outcome of the payment does not depend on it. */
  private async end(
    asked: readonly CounterPlace[],
    unasked: readonly CounterPlace[],
    outcome: 'approved' | 'declined' | 'none',
  ): Promise<void> {
    const returned = asked.filter(({ counts }) => !remainsCounted(counts, outcome));
    const late = outcome === 'declined' ? unasked : [];
    const changes = [
      ...returned.map(place => ({ ...place, used: -place.used })),
      ...late.map(place => ({ ...place, allowed: UNLIMITED })),
    ];
    const counted = await exchange(this.db, changes).catch(() => new Map<string, bigint>());
    for (const place of changes) this.declines.learn(place, counted.get(nameOfKey(place.key)));
    // Only now, or a decline would be neither on its way nor counted for a moment.
    for (const place of unasked) this.declines.end(place);
  }

  private async complete(
    { fingerprint, card_id, ...payment }: PaymentFacts,
    rules: readonly FraudRuleRecord[],
  ): Promise<FraudFacts> {
    const asksFor = (scope: RuleScope): boolean => rules.some(({ parameters }) => parameters.scope === scope);
    const { customer_id, email } = payment;
    const [card, customer] = await Promise.all([
      card_id && !fingerprint && asksFor('card')
        ? this.db.card.findUnique({ where: { id: card_id }, select: { fingerprint: true } })
        : undefined,
      customer_id && !email && asksFor('email')
        ? this.db.customer.findUnique({ where: { id: customer_id }, select: { email: true } })
        : undefined,
    ]);
    const number = fingerprint ?? card?.fingerprint;
    return {
      ...payment,
      email: email ?? customer?.email,
      ...(number && { card: cardHash(this.vault, number) }),
    };
  }
}

const refusal = (fraud_rules: string[]): AcquirerAnswer => ({ approved: false, kind: 'fraud', fraud_rules });
