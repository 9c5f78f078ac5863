import { passesLuhn } from '../../gateway/luhn';

/** The Luhn check digit for these digits. */
export const checkDigit = (digits: string): string =>
  [...'0123456789'].find(last => passesLuhn(`${digits}${last}`)) ?? '';
