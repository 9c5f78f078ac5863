/** Card numbers and expirations as payers type them. */
interface TypedBrand {
  name: string;
  pattern: RegExp;
  groups: readonly number[];
  cvv2Length: number;
}

const BRANDS: readonly TypedBrand[] = [
  { name: 'American Express', pattern: /^3[47]/, groups: [4, 6, 5], cvv2Length: 4 },
  { name: 'Diners Club', pattern: /^3(?:0[0-5]|[689])/, groups: [4, 6, 4], cvv2Length: 3 },
  {
    name: 'Carnet',
    pattern: /^(?:286900|502275|506(?:199|[2-4])|604244|627535|636318|636379|639388|639484|639559)/,
    groups: [4, 4, 4, 4],
    cvv2Length: 3,
  },
  {
    name: 'Mastercard',
    pattern: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    groups: [4, 4, 4, 4],
    cvv2Length: 3,
  },
  { name: 'Visa', pattern: /^4/, groups: [4, 4, 4, 4, 3], cvv2Length: 3 },
];
const OTHER_BRAND: Omit<TypedBrand, 'pattern'> = { name: '', groups: [4, 4, 4, 4, 3], cvv2Length: 4 };
const MAX_DIGITS = 19;

export interface TypedNumber {
  /** The name of the brand; empty until enough digits are typed. */
  brand: string;
  /** The digits in the groups of the brand. */
  grouped: string;
  cvv2Length: number;
}

export function readTypedNumber(text: string): TypedNumber {
  const digits = text.replace(/\D/g, '').slice(0, MAX_DIGITS);
  const { name: brand, groups, cvv2Length } = BRANDS.find(({ pattern }) => pattern.test(digits)) ?? OTHER_BRAND;
  const parts: string[] = [];
  let remaining = digits;
  for (const length of [...groups, digits.length]) {
    parts.push(remaining.slice(0, length));
    remaining = remaining.slice(length);
  }
  return { brand, grouped: parts.filter(Boolean).join(' '), cvv2Length };
}

/** The expiration with a slash after the month, unless the payer typed one. */
export function separateMonth(text: string): string {
  return /\D/.test(text) || text.length < 2 ? text : `${text.slice(0, 2)}/${text.slice(2)}`;
}
