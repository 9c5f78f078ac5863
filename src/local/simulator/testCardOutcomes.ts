/** Outcomes of the documented test numbers. */
import { testNumbers } from '../../payments/cardDetails/testNumbers';
import type { ErrorKind } from '../../platform/errors';

export const verificationOutcome = (number: string): ErrorKind | undefined => testNumbers.get(number)?.always;

/** `previousCharges` counts charges to this saved card; saving the number again resets it. */
export function chargeOutcome(number: string, previousCharges: number): ErrorKind | undefined {
  const { always, charges, first } = testNumbers.get(number) ?? {};
  return always ?? (first === undefined || previousCharges < first ? charges : undefined);
}

export const FRAUD_RULES = ['Too many cards from one device', 'Amount unusual for this card'];

/** Suffix of invalid bank account numbers. */
const UNKNOWN_ACCOUNT = '0000';

export const payoutOutcome = (number: string): ErrorKind | undefined =>
  number.endsWith(UNKNOWN_ACCOUNT) ? 'transfer_refused' : undefined;
