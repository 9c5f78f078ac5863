/** Voucher references: fifteen random digits and the check digit that stores verify. */
import { randomInt } from 'node:crypto';
import type { StoreNetwork } from '../../../gateway/acquirer/port';
import { checkDigit } from '../../../payments/cardDetails/checkDigit';

/** Prefix of the longer reference of the Paybin store network. */
export const PAYBIN_PREFIX = '0101';

/** Examples; a real acquirer reports the networks of its contract. */
export const NETWORKS: StoreNetwork[] = [
  { name: 'Efecty', stores: ['Efecty', 'Servientrega'] },
  { name: 'Paybin', stores: ['Baloto', 'SuperGiros'] },
];

export function newReference(used: ReadonlySet<string>): string {
  const digits = `${randomInt(100, 1000)}${String(randomInt(10 ** 12)).padStart(12, '0')}`;
  const reference = `${digits}${checkDigit(digits)}`;
  return used.has(reference) ? newReference(used) : reference;
}
