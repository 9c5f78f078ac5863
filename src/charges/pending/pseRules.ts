/** What a payment by bank account asks of its request, whichever path it comes by: form first, then values. */
import type { CreateCustomer } from '../../customers/fields';
import { ApiError } from '../../platform/errors';
import type { Money } from '../../platform/money';

/** Where banks take part. */
export const COUNTRIES = ['COL'] as const;
export const ADDRESS = ['department', 'city', 'additional'] as const;
const CENTAVOS = 100n;

interface PseRequest {
  country: string;
  amount: Money;
  /** At merchant level. */
  customer?: CreateCustomer;
}

export function validatePse({ country, amount, customer }: PseRequest): void {
  for (const name of customer ? ADDRESS : [])
    if (!customer?.customer_address?.[name]?.trim())
      throw new ApiError('malformed', `customer.customer_address.${name} is required`);
  if (country.toUpperCase() !== COUNTRIES[0]) throw new ApiError('invalid_value', 'country must be COL');
  if (amount % CENTAVOS !== 0n) throw new ApiError('invalid_value', 'amount must be a whole number');
  if (customer && customer.requires_account !== false)
    throw new ApiError('invalid_value', 'customer.requires_account must be false');
}
