/** What a number tells by itself: its brand, how long it and its security code may be. */
import creditCardType from 'credit-card-type';

/** Ranges of a brand that the library lacks. */
creditCardType.addCard({
  niceType: 'Carnet',
  type: 'carnet',
  patterns: [286900, 502275, [506199, 506499], 604244, 627535, 636318, 636379, 639388, 639484, 639559],
  gaps: [4, 8, 12],
  lengths: [16],
  code: { name: 'CVV', size: 3 },
});
// Where its ranges lie within those of another brand, it is the one.
creditCardType.changeOrder('carnet', 0);

export interface Brand {
  name: string;
  cvv2Length: number;
}

const names: Record<string, string> = { 'american-express': 'american express', 'diners-club': 'diners' };

/** No range is told by more digits than these. */
const BRAND_DIGITS = 8;
const MAX_CACHED_BRANDS = 10_000;
const known = new Map<string, Brand>();

/** The library goes through all of its ranges each time, and cards of one bank come again and again. */
export function brandOf(number: string): Brand {
  const start = number.slice(0, BRAND_DIGITS);
  const brand = known.get(start) ?? find(start);
  if (known.size >= MAX_CACHED_BRANDS) known.clear();
  known.set(start, brand);
  return brand;
}

function find(start: string): Brand {
  const [found] = creditCardType(start);
  if (!found) return { name: 'unknown', cvv2Length: 3 };
  return { name: names[found.type] ?? found.type, cvv2Length: found.code.size };
}

/** 16 or 19 digits; the two brands with shorter numbers have those as well. */
export function hasLengthOf({ name }: Brand, { length }: string): boolean {
  if (length === 15) return name === 'american express';
  if (length === 14) return name === 'diners';
  return length === 16 || length === 19;
}
