/** The IVA (value-added tax) that the amount of a charge includes, read from the merchant's text. */
import { ObjectType } from 'type-graphql';
import { type Money, parseMoney } from '../../platform/money';
import { PercentScalar } from '../../schema/scalars';
import { Amount, Value } from '../../schema/shapes';
import { divideHalfUp } from './card/costs';

@ObjectType({ description: 'IVA (value-added tax) included in an amount' })
export class IncludedTax {
  @Amount('Amount without the tax', { example: 84033.61 })
  base!: Money;
  @Value('Rate in percent; null if the tax was sent in pesos', () => PercentScalar, { nullable: true, example: 19 })
  rate!: number | null;
  @Amount('Tax', { example: 15966.39 })
  amount!: Money;
}

const NUMBER_OR_RATE = /^(\d+(?:\.\d{1,2})?) *(%?)$/;
/** In hundredths of a percent. */
const MAX_RATE = 10_000n;

/**
 * `19%` is a rate and `1900` are pesos. Null for other texts, rates above 100 % and pesos above the amount. The tax of a
 * rate is rounded half up to the centavo, and the base is the rest.
 */
export function includedTax(iva: string | null, total: Money): IncludedTax | null {
  const [, number = '', percent] = NUMBER_OR_RATE.exec(iva?.trim() ?? '') ?? [];
  const value = parseMoney(number)?.centavos;
  if (value === undefined || value > (percent ? MAX_RATE : total)) return null;
  const amount = percent ? divideHalfUp(total * value, MAX_RATE + value) : value;
  return { base: total - amount, rate: percent ? Number(value) : null, amount };
}
