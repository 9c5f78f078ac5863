/** What a charge meets: what was scripted for the saved card, else what the table of test numbers says. */
import { declines } from '../acquirer/codes';
import { codeOf, type ErrorName } from '../errors';
import { testNumbers } from '../printed/testNumbers';

/** How the acquirer behaves, apart from yes and no. */
export const BEHAVIOURS = ['approve', 'timeout', 'timeout_after_charge', 'slow'] as const;
export type Step = (typeof BEHAVIOURS)[number] | ErrorName;

const kinds = new Map(Object.values(declines).map(kind => [String(codeOf(kind)), kind]));

/** Undefined where there is no such outcome. */
export function readStep(value: string | number): Step | undefined {
  const text = String(value);
  return BEHAVIOURS.find(behaviour => behaviour === text) ?? kinds.get(text);
}

export const verification = (number: string): ErrorName | undefined => testNumbers.get(number)?.always;

/** `before` counts the charges to this saved copy so far. */
export function ownOutcome(number: string, before: number): ErrorName | undefined {
  const { always, charges, first } = testNumbers.get(number) ?? {};
  return always ?? (first === undefined || before < first ? charges : undefined);
}

export const FRAUD_RULES = ['Too many cards from one device', 'Amount unusual for this card'];
