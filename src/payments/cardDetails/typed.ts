/** Checks of card details as payers type them, which the server and browsers share. */
import { passesLuhn } from '../../gateway/luhn';
import { brandOf } from './brands';

/** Undefined unless it is a month and a year of two or four digits. */
export function splitExpiration(text: string): { month: string; year: string } | undefined {
  const [, month, year] = /^(\d{1,2})\s*[/ .-]?\s*(\d{2}|\d{4})$/.exec(text.trim()) ?? [];
  return month === undefined || year === undefined ? undefined : { month, year };
}

/** Whether a number without spaces has a length of its brand. */
export const hasCardLength = (number: string): boolean =>
  /^[0-9]{14,19}$/.test(number) && brandOf(number).lengths.includes(number.length);

/** A card is valid until the end of its month in Bogotá. */
export function hasExpired(month: string, year: string, now: Date): boolean {
  const inBogota = new Date(now.getTime() - 5 * 3_600_000);
  return `20${year}-${month}` < inBogota.toISOString().slice(0, 7);
}

export type CardField = 'holder_name' | 'card_number' | 'expiration' | 'cvv2';

/** The problems that a browser can find before the card is sent. The server checks the same, and more. */
export function problemsOfTypedCard(
  card: Record<CardField, string>,
  now: Date,
): Partial<Record<CardField, 'wrong' | 'expired'>> {
  const number = card.card_number.replace(/[ -]/g, '');
  const { month = '', year = '' } = splitExpiration(card.expiration) ?? {};
  const isMonth = Number(month) >= 1 && Number(month) <= 12 && /^(20)?\d{2}$/.test(year);
  const isNumber = hasCardLength(number) && passesLuhn(number);
  const cvv2Lengths = isNumber ? [brandOf(number).cvv2Length] : [3, 4];
  return {
    ...(card.holder_name.trim() === '' && { holder_name: 'wrong' }),
    ...(!isNumber && { card_number: 'wrong' }),
    ...(!isMonth
      ? { expiration: 'wrong' }
      : hasExpired(month.padStart(2, '0'), year.slice(-2), now) && { expiration: 'expired' }),
    ...(!(/^\d+$/.test(card.cvv2.trim()) && cvv2Lengths.includes(card.cvv2.trim().length)) && { cvv2: 'wrong' }),
  };
}
