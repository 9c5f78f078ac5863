/** The composition of the amount of a period. Stored with its charge, amounts in centavos. */
import { ObjectType } from 'type-graphql';
import type { Money } from '../../platform/money';
import { Amount, Count, ListOf, Text } from '../../schema/shapes';

@ObjectType({ description: 'A one-off amount of a period' })
export class ChargeExtra {
  @Text('Extra ID', { id: 'extra', example: 'i9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Text('Description', { example: '1,200 extra messages' })
  description!: string;
  @Amount('Amount; negative for a courtesy', { example: 12000 })
  amount!: Money;
}

@ObjectType({
  description: 'Composition of the amount of a period: full_amount less discount, with the extras, less credit',
})
export class ChargeInvoice {
  @Count('Number of units', { example: 3 })
  quantity!: number;
  @Amount('Amount of the plan times quantity', { example: 149700 })
  full_amount!: Money;
  @Amount('Discount of the coupon', { example: 29940 })
  discount!: Money;
  @Text('ID of the coupon', { id: 'coupon', nullable: true, example: 'q9s8d7f6g5h4j3k2l1q0' })
  coupon_id!: string | null;
  @ListOf('One-off amounts', () => ChargeExtra)
  extras!: ChargeExtra[];
  @Amount('Used credit', { example: 0 })
  credit!: Money;
}

export type StoredInvoice = Omit<ChargeInvoice, 'full_amount' | 'discount' | 'credit' | 'extras'> & {
  full_amount: number;
  discount: number;
  credit: number;
  extras: { id: string; description: string; amount: number }[];
};

export const toInvoice = ({ quantity, coupon_id, ...stored }: StoredInvoice): ChargeInvoice => ({
  quantity,
  coupon_id,
  full_amount: BigInt(stored.full_amount),
  discount: BigInt(stored.discount),
  credit: BigInt(stored.credit),
  extras: stored.extras.map(extra => ({ ...extra, amount: BigInt(extra.amount) })),
});
