/** What the table of test numbers says of a card. */
import { testNumbers } from '../cardDetails/testNumbers';
import type { ErrorName } from '../platform/errors';

export const verificationOutcome = (number: string): ErrorName | undefined => testNumbers.get(number)?.always;

/** `before` counts the charges to this saved copy so far. */
export function chargeOutcome(number: string, before: number): ErrorName | undefined {
  const { always, charges, first } = testNumbers.get(number) ?? {};
  return always ?? (first === undefined || before < first ? charges : undefined);
}

export const FRAUD_RULES = ['Too many cards from one device', 'Amount unusual for this card'];
