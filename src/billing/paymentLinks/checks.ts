/** Rules across the fields of a new payment link. */
import { includedTax } from '../../payments/charges/tax';
import { ApiError } from '../../platform/errors';
import { CENTAVOS_PER_PESO, formatMoney } from '../../platform/money';
import type { CreatePaymentLink } from './createFields';

const RANGE = ['min_amount', 'max_amount'] as const;

/** The payer enters whole pesos. */
export function checkAmounts(input: CreatePaymentLink): void {
  const { amount, min_amount, max_amount, iva, suggested_amounts = [] } = input;
  if (amount !== undefined) {
    for (const field of [...RANGE, 'suggested_amounts'] as const)
      if (input[field] !== undefined) throw new ApiError('invalid_value', 'not_with_amount', { field });
  }
  if (min_amount === undefined || max_amount === undefined) return;
  for (const field of RANGE)
    if ((input[field] ?? 0n) % CENTAVOS_PER_PESO !== 0n)
      throw new ApiError('invalid_value', 'not_whole_number', { field });
  const [min, max] = [formatMoney(min_amount), formatMoney(max_amount)];
  if (max < min) throw new ApiError('invalid_value', 'below_minimum', { field: 'max_amount', min });
  if (suggested_amounts.some(one => one < min || one > max))
    throw new ApiError('invalid_value', 'out_of_range', { field: 'suggested_amounts', min, max });
  // IVA in pesos belongs to an amount that is known.
  if (iva && includedTax(iva, 1n) === null) throw new ApiError('invalid_value', 'not_iva_rate', { field: 'iva' });
}

/** Whether more than one payer may begin to use the link. */
export const isShared = ({ kind, reusable = false, min_amount, customer_id }: CreatePaymentLink): boolean =>
  reusable || min_amount !== undefined || (kind === 'subscription' && !customer_id);

/** An order is paid once, so it cannot belong to a link that several payers may begin to use. */
export function checkReuse(input: CreatePaymentLink): void {
  const { kind, reusable, max_payments, order_id, customer_id } = input;
  if (reusable && kind === 'subscription' && customer_id)
    throw new ApiError('invalid_value', 'not_for_several_payers', { field: 'customer_id' });
  if (max_payments !== undefined && !reusable)
    throw new ApiError('invalid_value', 'only_for_reusable_link', { field: 'max_payments' });
  if (order_id && isShared(input)) throw new ApiError('invalid_value', 'not_for_several_payers', { field: 'order_id' });
}
