import { randomBytes, randomInt } from 'node:crypto';
import { APPROVED, errorsByResponseCode } from '../../gateway/acquirer/codes';
import type { MerchantAdvice } from '../../gateway/acquirer/port';
import type { ErrorKind } from '../../platform/errors';
import { newBreBCode } from './issued/breB';
import { NETWORKS, newReference, PAYBIN_PREFIX } from './issued/voucherReferences';
import { OPERATIONS, type OrderedOperation } from './operations';
import type { AcquirerOrder } from './orders';
import type { SimulatedAnswer } from './state';
import { FRAUD_RULES } from './testCardOutcomes';

export const REFUSED = '12';

export function buildAnswer(decline: ErrorKind | undefined, advice?: MerchantAdvice): SimulatedAnswer {
  if (!decline) return { response: APPROVED, authorization: String(randomInt(100_000, 1_000_000)) };
  const [response = REFUSED] = Object.entries(errorsByResponseCode).find(([, kind]) => kind === decline) ?? [];
  return { response, ...(decline === 'fraud' ? { fraud_rules: FRAUD_RULES } : {}), ...(advice ? { advice } : {}) };
}

/** Voucher references, page of a bank payment, or key and QR code of a Bre-B payment. */
export function issueInstructions(
  operation: OrderedOperation,
  order: AcquirerOrder,
  usedReferences: ReadonlySet<string>,
): Partial<SimulatedAnswer> {
  const { instructions } = OPERATIONS[operation];
  if (instructions === 'url') return { page: randomBytes(16).toString('hex') };
  if (instructions === 'qr') return newBreBCode(order);
  if (instructions !== 'references') return {};
  const reference = newReference(usedReferences);
  return { reference, paybin_reference: `${PAYBIN_PREFIX}${reference}`, networks: NETWORKS };
}
