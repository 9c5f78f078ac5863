/**
 * Counts what rules allow within a time, for all processes: a payment takes its place before the acquirer is asked, in
 * one statement, so that many at once are no way around a rule.
 */
import type { VaultKeys } from '../../platform/vault/keys';
import { hashOfFact } from '../../platform/vault/seal';
import type { RuleCounter } from './judge';

export interface CounterPlace extends RuleCounter {
  /** A keyed hash, so that nobody reads from the table who paid or with what. */
  key: Buffer<ArrayBuffer>;
}

/** More than any rule allows: for what is counted in any case. */
export const UNLIMITED = 2n ** 62n;

export const placeOf = (vault: VaultKeys, merchant_id: string, counter: RuleCounter): CounterPlace => {
  const { rule, counts, subject, startMs, durationMs } = counter;
  return {
    ...counter,
    key: hashOfFact(vault, JSON.stringify([merchant_id, rule, counts, subject, startMs, durationMs])),
  };
};

export const nameOfKey = (key: Uint8Array): string => Buffer.from(key).toString('latin1');
