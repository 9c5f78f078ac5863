/** Places of a reusable link with `max_payments`, which unpaid payments by other methods than cards take. */
import { type ChargeMethodName, METHODS } from '../../payments/methods/methods';
import { ApiError } from '../../platform/errors';
import { networkOf } from '../../platform/limits/network';
import { hashOfFact } from '../../platform/vault/seal';
import type { Context } from '../../schema/operation/context';
import { countUnpaidUses, findLink, type PaymentLinkRow } from './rows';

const MAX_UNPAID_PER_NETWORK = 3;

const isLimited = ({ reusable, max_payments }: PaymentLinkRow): boolean => reusable && max_payments !== null;

/** Identifies the payers of a network who use the link. */
export const networkHash = ({ vault, address }: Context, parent: PaymentLinkRow): Buffer<ArrayBuffer> | null =>
  isLimited(parent) ? hashOfFact(vault, `${parent.id} ${networkOf(address)}`) : null;

/**
 * Returns how long an unpaid payment keeps its place, or throws if other uses from the network keep too many. The attempt of
 * the use has begun, so that simultaneous forms do not exceed the limit.
 */
export async function hoursOfPlace(context: Context, use: PaymentLinkRow, method: ChargeMethodName): Promise<number> {
  const { expiryHours, placeHours = expiryHours } = METHODS[method];
  if (use.parent_id === null || method === 'card') return expiryHours;
  if (!isLimited(await findLink(context, use.parent_id))) return expiryHours;
  if ((await countUnpaidUses(context.db, use)) >= MAX_UNPAID_PER_NETWORK) throw new ApiError('too_many');
  return placeHours;
}
