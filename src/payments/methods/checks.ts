/** Checks of a payment request by its method. Malformed fields are reported before invalid values. */

import { ApiError } from '../../platform/errors';
import { CENTAVOS_PER_PESO, type Money } from '../../platform/money';
import type { CreateCustomer } from '../customers/fields';
import type { CustomerRow } from '../customers/rows';
import { type ChargeMethodName, METHODS, PAYER_ADDRESS_FIELDS, PAYER_COUNTRIES } from './methods';

interface CheckedRequest {
  country?: string;
  amount: Money;
  /** Set in merchant-level requests. */
  customer?: CreateCustomer;
}

export function checkRequest(
  method: ChargeMethodName,
  { country = PAYER_COUNTRIES[0], amount, customer }: CheckedRequest,
): void {
  const { needsPayerAddress, needsWholePesos, creditsMerchant } = METHODS[method];
  for (const name of needsPayerAddress && customer ? PAYER_ADDRESS_FIELDS : [])
    if (!customer?.customer_address?.[name]?.trim())
      throw new ApiError('malformed', 'is_required', { field: `customer.customer_address.${name}` });
  if (needsPayerAddress && country.toUpperCase() !== PAYER_COUNTRIES[0])
    throw new ApiError('invalid_value', 'not_colombia', { field: 'country' });
  if (needsWholePesos && amount % CENTAVOS_PER_PESO !== 0n)
    throw new ApiError('invalid_value', 'not_whole_number', { field: 'amount' });
  if (creditsMerchant && customer && customer.requires_account !== false)
    throw new ApiError('invalid_value', 'account_not_allowed', { field: 'customer.requires_account' });
}

/** The customer of customer-level requests. */
export function checkCustomer(method: ChargeMethodName, customer: CustomerRow | null): void {
  if (METHODS[method].creditsMerchant && customer?.requires_account)
    throw new ApiError('not_allowed', 'account_customer_by_bank');
}
