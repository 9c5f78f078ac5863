/**
 * Issuers of the test numbers by BIN, with bank codes of the Colombian clearing house. Other cards have no issuer data.
 */
import type { Issuer } from '../../gateway/acquirer/port';

const ranges: readonly (readonly [prefix: string, type: 'credit' | 'debit', bank_name: string, bank_code: string])[] = [
  ['411111', 'credit', 'Bancolombia', '007'],
  ['424242', 'credit', 'BBVA Colombia', '013'],
  ['555555', 'credit', 'Banco de Bogotá', '001'],
  ['510510', 'debit', 'Davivienda', '051'],
  ['345678', 'credit', 'Bancolombia', '007'],
  ['343434', 'credit', 'Banco de Occidente', '023'],
  ['367284', 'credit', 'Davivienda', '051'],
];

export function issuerOf(number: string): { issuer?: Issuer } {
  const range = ranges.find(([prefix]) => number.startsWith(prefix));
  if (!range) return {};
  const [, type, bank_name, bank_code] = range;
  return { issuer: { type, bank_name, bank_code, country: 'CO' } };
}
