import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { formatMoment } from '../../workflows/calendar';
import { ApiError } from '../platform/errors';
import { formatMoney, type Money, parseMoney } from '../platform/money';
import { dayBounds } from './time';

/** The largest amount: 9,999,999,999,999.99. */
export const MAX_CENTAVOS = 999_999_999_999_999n;

export type JsonSchema = Record<string, unknown>;

/** What documents say of a moment that may also be a whole day. */
export const TIMESTAMP_OR_DAY = { type: 'string', anyOf: [{ format: 'date-time' }, { format: 'date' }] };

interface Scalar<T> {
  name: string;
  description: string;
  parse(value: unknown): T;
  serialize(value: T): unknown;
  /** What the OpenAPI document says of it in requests, and in answers where that differs. */
  accepts?: JsonSchema;
  answers?: JsonSchema;
}

export function scalar<T>(said: Scalar<T>): GraphQLScalarType<T, unknown> {
  const { name, description, parse, serialize, accepts = {}, answers = accepts } = said;
  const parseLiteral = (node: ValueNode, variables?: Record<string, unknown> | null): T => {
    if ('value' in node && node.kind !== Kind.BOOLEAN) return parse(node.value);
    if (node.kind === Kind.OBJECT || node.kind === Kind.LIST) return parse(valueFromASTUntyped(node, variables));
    throw new ApiError('malformed', `expected ${name}`);
  };
  return new GraphQLScalarType<T, unknown>({
    name,
    description,
    parseValue: parse,
    parseLiteral,
    serialize: value => serialize(value as T),
    extensions: { accepts, answers },
  });
}

export const MoneyScalar = scalar<Money>({
  name: 'Money',
  description: 'An amount in Colombian pesos with at most two decimals, as a number or as a numeric text',
  parse: value => {
    // JavaScript writes a number with an exponent only if it has more decimals or more digits than any amount.
    if (typeof value === 'number' && /e/.test(String(value)))
      throw new ApiError('invalid_value', 'has more than two decimals or is too large');
    const text =
      typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string' ? String(value) : '';
    const money = parseMoney(
      typeof value === 'number' && Number.isInteger(value) ? BigInt(value).toString() : text.trim(),
    );
    if (!money) throw new ApiError('malformed', 'is not an amount');
    if (!money.exact || money.centavos > MAX_CENTAVOS || money.centavos < -MAX_CENTAVOS) {
      throw new ApiError('invalid_value', 'has more than two decimals or is too large');
    }
    return money.centavos;
  },
  serialize: formatMoney,
});

export const DayScalar = scalar<string>({
  name: 'Day',
  description: 'A day in America/Bogota, as yyyy-mm-dd',
  parse: value => {
    if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value))
      throw new ApiError('malformed', 'is not a day as yyyy-mm-dd');
    if (!dayBounds(value)) throw new ApiError('invalid_value', 'is a day that does not exist');
    return value;
  },
  serialize: String,
});

export const MomentScalar = scalar<Date>({
  name: 'Moment',
  description: 'A date and time, as 2026-11-14T18:50:00-05:00',
  parse: () => {
    throw new GraphQLError('Moments are answered, never asked for');
  },
  serialize: moment => formatMoment(moment.getTime()),
});
