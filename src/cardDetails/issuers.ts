/**
 * The issuer of a card by the first digits of its number, with bank codes of the Colombian clearing house. A card that
 * is not listed is a credit card of an unknown bank.
 */
import type { CARD_TYPES } from './fields';

export interface Issuer {
  type: (typeof CARD_TYPES)[number];
  bank_name: string;
  bank_code: string;
}

const ranges: readonly (readonly [prefix: string, type: Issuer['type'], bank_name: string, bank_code: string])[] = [
  ['411111', 'credit', 'Bancolombia', '007'],
  ['424242', 'credit', 'BBVA Colombia', '013'],
  ['555555', 'credit', 'Banco de Bogotá', '001'],
  ['510510', 'debit', 'Davivienda', '051'],
  ['345678', 'credit', 'Bancolombia', '007'],
  ['343434', 'credit', 'Banco de Occidente', '023'],
  ['367284', 'credit', 'Davivienda', '051'],
];

export function issuerOf(number: string): Issuer {
  const range = ranges.find(([prefix]) => number.startsWith(prefix));
  if (!range) return { type: 'credit', bank_name: 'Unknown', bank_code: '000' };
  const [, type, bank_name, bank_code] = range;
  return { type, bank_name, bank_code };
}
