/** Validates bank account payments of /pse and /charges. Malformed fields are reported before invalid values. */

import { ApiError } from '../../../platform/errors';
import type { Money } from '../../../platform/money';
import type { CreateCustomer } from '../../customers/fields';

export const PSE_COUNTRIES = ['COL'] as const;
export const REQUIRED_ADDRESS_FIELDS = ['department', 'city', 'additional'] as const;
const CENTAVOS_PER_PESO = 100n;

interface PseRequest {
  country: string;
  amount: Money;
  /** Set in merchant-level requests. */
  customer?: CreateCustomer;
}

export function validatePse({ country, amount, customer }: PseRequest): void {
  for (const name of customer ? REQUIRED_ADDRESS_FIELDS : [])
    if (!customer?.customer_address?.[name]?.trim())
      throw new ApiError('malformed', 'is_required', { field: `customer.customer_address.${name}` });
  if (country.toUpperCase() !== PSE_COUNTRIES[0])
    throw new ApiError('invalid_value', 'not_colombia', { field: 'country' });
  if (amount % CENTAVOS_PER_PESO !== 0n) throw new ApiError('invalid_value', 'not_whole_number', { field: 'amount' });
  if (customer && customer.requires_account !== false)
    throw new ApiError('invalid_value', 'account_not_allowed', { field: 'customer.requires_account' });
}
