/** A stored card: public details in plain text and sealed secrets. */
import type { Issuer } from '../../gateway/acquirer/port';
import { fingerprint, seal } from '../../platform/vault/seal';
import type { Context } from '../../schema/operation/context';
import { type CardDetails, maskOf } from './details';
import { testNumbers } from './testNumbers';

/** Set by the acquirer's card verification. */
const ISSUER_UNKNOWN: Omit<Issuer, 'type'> = { bank_name: null, bank_code: null, country: null };

export function sealCard(
  { vault, merchant_id }: Pick<Context, 'vault' | 'merchant_id'>,
  id: string,
  { number, cvv2, brand, ...details }: CardDetails,
) {
  return {
    id,
    merchant_id,
    ...details,
    ...ISSUER_UNKNOWN,
    type: testNumbers.get(number)?.type ?? null,
    brand: brand.name,
    card_number: maskOf(number),
    number_sealed: seal(vault, number, { what: 'number', merchant_id, id }),
    cvv2_sealed: seal(vault, cvv2, { what: 'cvv2', merchant_id, id }),
    fingerprint: fingerprint(vault, number),
  };
}

export type NewCard = ReturnType<typeof sealCard>;
