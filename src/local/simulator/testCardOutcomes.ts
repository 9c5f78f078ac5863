/** Outcomes of the documented test numbers. */
import { testNumbers } from '../../payments/cardDetails/testNumbers';
import type { ErrorKind } from '../../platform/errors';

export const verificationOutcome = (number: string): ErrorKind | undefined => testNumbers.get(number)?.always;

/** `previousCharges` are those to this saved card; the same number saved again starts from zero. */
export function chargeOutcome(number: string, previousCharges: number): ErrorKind | undefined {
  const { always, charges, first } = testNumbers.get(number) ?? {};
  return always ?? (first === undefined || previousCharges < first ? charges : undefined);
}

export const FRAUD_RULES = ['Too many cards from one device', 'Amount unusual for this card'];

/** The end of bank account numbers that no bank knows. */
const UNKNOWN_ACCOUNT = '0000';

export const payoutOutcome = (number: string): ErrorKind | undefined =>
  number.endsWith(UNKNOWN_ACCOUNT) ? 'transfer_refused' : undefined;
