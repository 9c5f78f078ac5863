/** Derives from a card number its brand and the allowed lengths of the number and of its security code. */
import creditCardType from 'credit-card-type';

/** The library does not know this brand. */
creditCardType.addCard({
  niceType: 'Carnet',
  type: 'carnet',
  patterns: [286900, 502275, [506199, 506499], 604244, 627535, 636318, 636379, 639388, 639484, 639559],
  gaps: [4, 8, 12],
  lengths: [16],
  code: { name: 'CVV', size: 3 },
});
// First in the order, so that it wins where its ranges overlap with those of another brand.
creditCardType.changeOrder('carnet', 0);

export interface Brand {
  name: string;
  cvv2Length: number;
}

const names: Record<string, string> = { 'american-express': 'american express', 'diners-club': 'diners' };

/** As the brand writes itself, for people. Empty where it is not known. */
export function brandTitle(name: string): string {
  const [type = name] = Object.entries(names).find(([, ownName]) => ownName === name) ?? [];
  const cardType = creditCardType.getTypeInfo(type) as { niceType: string } | null;
  return cardType?.niceType ?? '';
}

/** No brand's range is defined by more digits than this. */
const MAX_BRAND_DIGITS = 8;
const MAX_CACHED_BRANDS = 10_000;
const cachedBrands = new Map<string, Brand>();

/** Cached, because the library goes through all of its ranges each time and many cards start with the same digits. */
export function brandOf(number: string): Brand {
  const prefix = number.slice(0, MAX_BRAND_DIGITS);
  const brand = cachedBrands.get(prefix) ?? findBrand(prefix);
  if (cachedBrands.size >= MAX_CACHED_BRANDS) cachedBrands.clear();
  cachedBrands.set(prefix, brand);
  return brand;
}

function findBrand(prefix: string): Brand {
  const [cardType] = creditCardType(prefix);
  if (!cardType) return { name: 'unknown', cvv2Length: 3 };
  return { name: names[cardType.type] ?? cardType.type, cvv2Length: cardType.code.size };
}

/** 16 or 19 digits; American Express also has 15, Diners also 14. */
export function hasLengthOf({ name }: Brand, { length }: string): boolean {
  if (length === 15) return name === 'american express';
  if (length === 14) return name === 'diners';
  return length === 16 || length === 19;
}
