/** Card numbers and expirations as payers type them. */
import { brandOf, UNKNOWN_BRAND } from '../../src/payments/cardDetails/brands';

const MAX_DIGITS = 19;
const MAX_CVV2_LENGTH = 4;

export interface TypedNumber {
  /** The name of the brand; empty until enough digits are typed. */
  brand: string;
  /** The digits in the groups of the brand. */
  grouped: string;
  /** The most digits of the security code. */
  cvv2Length: number;
}

export function readTypedNumber(text: string): TypedNumber {
  const digits = text.replace(/\D/g, '').slice(0, MAX_DIGITS);
  const brand = brandOf(digits);
  const parts: string[] = [];
  let remaining = digits;
  for (const length of [...brand.groups, digits.length]) {
    parts.push(remaining.slice(0, length));
    remaining = remaining.slice(length);
  }
  return {
    brand: brand.title,
    grouped: parts.filter(Boolean).join(' '),
    cvv2Length: brand === UNKNOWN_BRAND ? MAX_CVV2_LENGTH : brand.cvv2Length,
  };
}

/** The expiration with a slash after the month, unless the payer typed one. */
export function separateMonth(text: string): string {
  return /\D/.test(text) || text.length < 2 ? text : `${text.slice(0, 2)}/${text.slice(2)}`;
}
