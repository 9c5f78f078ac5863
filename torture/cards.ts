import { between, pick, type Random } from './random';

/** Can be saved; later all charges, or the first two, are declined. */
const DECLINING = ['4000000000000341', '4000000000003345', '4000000000000028'];

const cardOf = (card_number: string) => ({
  card_number,
  holder_name: 'Torture',
  expiration_month: '12',
  // Test clocks run years ahead.
  expiration_year: '65',
  cvv2: '123',
});

export const decliningCard = (random: Random) => cardOf(pick(random, DECLINING));

/** Returns a new number each time, because numbers are unique per customer. */
export function goodCard(random: Random) {
  const digits = [5, 1, ...Array.from({ length: 13 }, () => between(random, 0, 9))];
  const sum = digits.reduce(
    (total, digit, i) => total + (i % 2 ? digit : digit * 2 > 9 ? digit * 2 - 9 : digit * 2),
    0,
  );
  return cardOf(`${digits.join('')}${(10 - (sum % 10)) % 10}`);
}
