import { passesLuhn } from '../../gateway/luhn';

/** The digit that completes these by Luhn's rule, as on cards and vouchers. */
export const checkDigit = (digits: string): string =>
  [...'0123456789'].find(last => passesLuhn(`${digits}${last}`)) ?? '';
