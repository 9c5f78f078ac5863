/** Evaluates a merchant's fraud rules before the acquirer is called. */
import type { Database } from '../../platform/database/connection';
import type { VaultKeys } from '../../platform/vault/keys';
import { hashOfFact } from '../../platform/vault/seal';
import type { AcquirerAnswer } from '../acquirer/port';
import { type CounterSlot, keyName, slotFor, UNLIMITED } from './counters';
import { judge, remainsCounted } from './judge';
import { LocalDeclineCounter } from './localDeclineCounter';
import { reserveSlots } from './rows';
import { appliesTo, type FraudFacts, type FraudRuleRecord, type RuleScope } from './rule';
import type { FraudRuleCache } from './ruleCache';

/** Facts whose missing members are loaded only if a rule needs them. */
export interface PaymentFacts extends Omit<FraudFacts, 'card'> {
  /** Fingerprint of the card number. */
  fingerprint?: Uint8Array | null | undefined;
  /** ID of a saved card, if its fingerprint is not loaded. */
  card_id?: string | null | undefined;
}

export interface Reservation {
  /** Names of the rules that refuse the payment, for which nothing is reserved. */
  refusedBy: string[];
  /** Seconds until the next window, if only limits refuse the payment. */
  retry_after?: number;
  /** Releases what the outcome does not count. */
  end(outcome: { approved: boolean } | undefined): Promise<void>;
}

/** Equal for equal card numbers, across customers and tokens. */
export const cardHash = (vault: VaultKeys, fingerprint: Uint8Array): string =>
  hashOfFact(vault, fingerprint).toString('hex');

export class FraudScreening {
  private readonly declines = new LocalDeclineCounter();

  constructor(
    private readonly db: Database,
    private readonly vault: VaultKeys,
    private readonly cache: Pick<FraudRuleCache, 'rulesOf' | 'forget'>,
  ) {}

  /** Returns the acquirer's answer, or a refusal by the rules without calling it. */
  async screen<T extends AcquirerAnswer | undefined>(
    payment: PaymentFacts,
    send: () => Promise<T>,
  ): Promise<T | AcquirerAnswer> {
    const { refusedBy, end } = await this.reserve(payment);
    if (refusedBy.length > 0) return { approved: false, kind: 'fraud', fraud_rules: refusedBy };
    let answer: T | undefined;
    try {
      answer = await send();
      return answer;
    } finally {
      await end(answer);
    }
  }

  /** Evaluates the rules and reserves their counters. */
  async reserve(payment: PaymentFacts): Promise<Reservation> {
    const rules = (await this.cache.rulesOf(payment.merchant_id)).filter(rule => appliesTo(rule, payment.purpose));
    if (rules.length === 0) return refused([]);
    const { refusedBy, counters } = judge(rules, await this.complete(payment, rules));
    if (refusedBy.length > 0) return refused(refusedBy);
    const slots = counters.map(counter => slotFor(this.vault, payment.merchant_id, counter));
    const local = slots.filter(slot => this.declines.begin(slot));
    const remote = slots.filter(slot => !local.includes(slot));
    const full = await this.take(remote).catch(error => {
      for (const slot of local) this.declines.end(slot);
      throw error;
    });
    if (full.length > 0) {
      const taken = remote.filter(slot => !full.includes(slot));
      await this.end(taken, local, 'none');
      const endsAt = Math.max(...full.map(({ startMs, durationMs }) => startMs + durationMs));
      const retry_after = Math.max(1, Math.ceil((endsAt - payment.at.getTime()) / 1000));
      return { ...refused(full.map(({ rule }) => rule)), retry_after };
    }
    return {
      refusedBy: [],
      end: outcome => this.end(remote, local, !outcome ? 'none' : outcome.approved ? 'approved' : 'declined'),
    };
  }

  /** Names of the rules that refuse a payment by facts from the acquirer's answer. */
  async refusedBy(payment: PaymentFacts): Promise<string[]> {
    const rules = await this.cache.rulesOf(payment.merchant_id);
    return judge(rules, await this.complete(payment, rules)).refusedBy;
  }

  /** Clears this process's cache; the database notifies other processes. */
  forget(merchant_id: string): void {
    this.cache.forget(merchant_id);
  }

  /** Returns the exhausted counters. */
  private async take(slots: readonly CounterSlot[]): Promise<CounterSlot[]> {
    const reserved = await reserveSlots(
      this.db,
      slots.map(slot => ({ ...slot, allowed: slot.allowed - this.declines.inFlight(slot) })),
    );
    for (const slot of slots) this.declines.recordCount(slot, reserved.get(keyName(slot.key)));
    return slots.filter(({ key }) => !reserved.has(keyName(key)));
  }

  /** Releases slots that the outcome does not count. A failure does not affect the payment. */
  private async end(
    remote: readonly CounterSlot[],
    local: readonly CounterSlot[],
    outcome: 'approved' | 'declined' | 'none',
  ): Promise<void> {
    const released = remote.filter(({ counts }) => !remainsCounted(counts, outcome));
    const late = outcome === 'declined' ? local : [];
    const changes = [
      ...released.map(slot => ({ ...slot, used: -slot.used })),
      ...late.map(slot => ({ ...slot, allowed: UNLIMITED })),
    ];
    const counted = await reserveSlots(this.db, changes).catch(() => new Map<string, bigint>());
    for (const slot of changes) this.declines.recordCount(slot, counted.get(keyName(slot.key)));
    // After the update, so that a decline is always either in flight or counted.
    for (const slot of local) this.declines.end(slot);
  }

  private async complete(
    { fingerprint, card_id, ...payment }: PaymentFacts,
    rules: readonly FraudRuleRecord[],
  ): Promise<FraudFacts> {
    const needs = (scope: RuleScope): boolean => rules.some(({ parameters }) => parameters.scope === scope);
    const { customer_id, email } = payment;
    const [card, customer] = await Promise.all([
      card_id && !fingerprint && needs('card')
        ? this.db.card.findUnique({ where: { id: card_id }, select: { fingerprint: true } })
        : undefined,
      customer_id && !email && needs('email')
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

const refused = (refusedBy: string[]): Reservation => ({ refusedBy, end: async () => undefined });
