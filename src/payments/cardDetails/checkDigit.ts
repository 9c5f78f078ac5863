import luhn from 'card-validator/dist/luhn-10';

/** The digit that completes these by Luhn's rule, as on cards and vouchers. */
export const checkDigit = (digits: string): string => [...'0123456789'].find(last => luhn(`${digits}${last}`)) ?? '';
