import { brandTitle } from '../../../src/payments/cardDetails/brands';
import { pick } from '../../shared/language';

const types: Record<string, string> = pick({
  es: { credit: 'crédito', debit: 'débito' } as Record<string, string>,
  en: {},
});

export const cardName = ({ brand, card_number }: { brand: string; card_number: string }): string =>
  `${brandTitle(brand) || brand} •••• ${card_number.slice(-4)}`;

export const cardType = (type: string): string => types[type] ?? type;

export const expiryOf = (card: { expiration_month: string; expiration_year: string }): string =>
  `${card.expiration_month}/${card.expiration_year}`;

export const fullName = ({ name, last_name }: { name: string; last_name: string | null }): string =>
  [name, last_name].filter(Boolean).join(' ');
