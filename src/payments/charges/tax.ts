/** The IVA (value-added tax) that the amount of a charge includes, read from the merchant's text. */
import { ObjectType } from 'type-graphql';
import { divideHalfUp, type Money, parseMoney } from '../../platform/money';
import { PercentScalar } from '../../schema/scalars';
import { Amount, Value } from '../../schema/shapes';

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

/** A member `iva` of something that is charged later, again and again. */
export const OPTIONAL_IVA = { optional: true, clearable: true, max: 100, digits: 'decimals' } as const;

/** An empty text clears, as null does; undefined keeps the current value. */
export const storedIva = (iva: string | null | undefined): string | null | undefined =>
  iva?.trim() === '' ? null : iva;

/**
 * `19%` is a rate and `1900` are pesos. Null for other texts, rates above 100 % and pesos above the amount. The tax of a
 * rate is rounded half up to the centavo, and the base is the rest.
 */
export function includedTax(iva: string | null, total: Money): IncludedTax | null {
  const parsed = parseIva(iva);
  if (!parsed || parsed.value > (parsed.isRate ? MAX_RATE : total)) return null;
  const { value, isRate } = parsed;
  const amount = isRate ? divideHalfUp(total * value, MAX_RATE + value) : value;
  return { base: total - amount, rate: isRate ? Number(value) : null, amount };
}

function parseIva(iva: string | null): { value: bigint; isRate: boolean } | undefined {
  const [, number = '', percent] = NUMBER_OR_RATE.exec(iva?.trim() ?? '') ?? [];
  const value = parseMoney(number)?.centavos;
  return value === undefined ? undefined : { value, isRate: percent === '%' };
}

/**
 * The IVA of a charge of `amount`, where `iva` was stated for the amount `whole`: pesos change in proportion, rounded
 * half up to the centavo; rates and other texts stay as they are.
 */
export function scaledIva(iva: string | null, amount: Money, whole: Money): string | null {
  const parsed = amount === whole ? undefined : parseIva(iva);
  if (!parsed || parsed.isRate) return iva;
  const centavos = divideHalfUp(parsed.value * amount, whole);
  return `${centavos / 100n}.${String(centavos % 100n).padStart(2, '0')}`;
}
