import { randomBytes, randomInt } from 'node:crypto';
import { APPROVED, declines } from '../acquirer/codes';
import type { ErrorName } from '../platform/errors';
import type { AcquirerOperation, SimulatedAnswer } from './state';
import { FRAUD_RULES } from './testCardOutcomes';
import { newReference, PAYBIN } from './voucherReferences';

export const REFUSED = '12';

export function answerOf(refused: ErrorName | undefined): SimulatedAnswer {
  if (!refused) return { response: APPROVED, authorization: String(randomInt(100_000, 1_000_000)) };
  const [response = REFUSED] = Object.entries(declines).find(([, kind]) => kind === refused) ?? [];
  return { response, ...(refused === 'fraud' ? { fraud_rules: FRAUD_RULES } : {}) };
}

/** Only given out: no money moves before a payer decides. */
export const isIssued = (operation: AcquirerOperation): boolean => operation === 'voucher' || operation === 'bank';

/** What a payer pays with. */
export function issue(operation: AcquirerOperation, taken: ReadonlySet<string>): Partial<SimulatedAnswer> {
  if (operation === 'bank') return { page: randomBytes(16).toString('hex') };
  if (operation !== 'voucher') return {};
  const reference = newReference(taken);
  return { reference, paybin_reference: `${PAYBIN}${reference}` };
}
