import { canary } from './canaries';

/** A valid card that does not expire soon on any test clock. */
export const visa = {
  holder_name: 'María Gómez',
  card_number: canary.visa,
  cvv2: canary.cvv2,
  expiration_month: '12',
  expiration_year: '69',
};

export const amex = { ...visa, card_number: canary.amex, cvv2: canary.amexCvv2 };

export const masked = (number: string): string =>
  `${number.slice(0, 6)}${'X'.repeat(number.length - 10)}${number.slice(-4)}`;

/** The fields of the card that every response contains. */
export const shownVisa = {
  creation_date: expect.stringMatching(/-05:00$/),
  holder_name: 'María Gómez',
  card_number: masked(canary.visa),
  expiration_month: '12',
  expiration_year: '69',
  brand: 'visa',
};

/** A charge as a shop makes it with a card that the payer has just entered. */
export const ORDINARY_CHARGE = { initiated_by: 'customer', stored_credential: false, installments: 1 } as const;
