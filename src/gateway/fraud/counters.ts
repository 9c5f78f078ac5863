/**
 * Shared counters of fraud rules. A payment reserves its slots in one SQL statement before the acquirer is called, so
 * that parallel payments cannot exceed a rule.
 */
import type { VaultKeys } from '../../platform/vault/keys';
import { hashOfFact } from '../../platform/vault/seal';
import type { RuleCounter } from './judge';

export interface CounterSlot extends RuleCounter {
  /** A keyed hash, so that the table reveals no payer data. */
  key: Buffer<ArrayBuffer>;
}

/** For usage that is counted regardless of the limit. */
export const UNLIMITED = 2n ** 62n;

export const slotFor = (vault: VaultKeys, merchant_id: string, counter: RuleCounter): CounterSlot => {
  const { rule, counts, subject, startMs, durationMs } = counter;
  return {
    ...counter,
    key: hashOfFact(vault, JSON.stringify([merchant_id, rule, counts, subject, startMs, durationMs])),
  };
};

export const keyName = (key: Uint8Array): string => Buffer.from(key).toString('latin1');
