import { GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { formatMoment } from '../../workflows/calendar';
import { ApiError } from '../platform/errors';
import { formatMoney, type Money, parseMoney } from '../platform/money';
import { readNumber, ThreeDecimals } from './numbers';
import { dayBounds, isTimestamp, readTimestamp } from './time';

export const MAX_CENTAVOS = 999_999_999_999_999n;

const JSON_SPECIFICATION = 'https://www.rfc-editor.org/rfc/rfc8259';
export const TIME_SPECIFICATION = 'https://www.rfc-editor.org/rfc/rfc3339';

export type JsonSchema = Record<string, unknown>;

/** A timestamp or a whole day. */
export const TIMESTAMP_OR_DAY = { type: 'string', anyOf: [{ format: 'date-time' }, { format: 'date' }] };

interface Scalar<T> {
  name: string;
  description: string;
  /** The format, if it is not plain JSON. */
  specifiedBy?: string;
  parse(value: unknown): T;
  serialize(value: T): unknown;
  /** Whether `parse` gets a number literal of a GraphQL document as a number. By default it gets its text. */
  takesNumbers?: boolean;
  /** JSON Schema of requests, and of responses if it differs. */
  accepts?: JsonSchema;
  answers?: JsonSchema;
}

export function scalar<T>(said: Scalar<T>): GraphQLScalarType<T, unknown> {
  const {
    name,
    description,
    specifiedBy = JSON_SPECIFICATION,
    parse,
    serialize,
    takesNumbers,
    accepts = {},
    answers = accepts,
  } = said;
  const parseLiteral = (node: ValueNode, variables?: Record<string, unknown> | null): T => {
    if (takesNumbers && (node.kind === Kind.INT || node.kind === Kind.FLOAT)) return parse(readNumber(node.value));
    if ('value' in node && node.kind !== Kind.BOOLEAN) return parse(node.value);
    if (node.kind === Kind.OBJECT || node.kind === Kind.LIST) return parse(valueFromASTUntyped(node, variables));
    throw new ApiError('malformed', 'wrong_type', { type: name });
  };
  return new GraphQLScalarType<T, unknown>({
    name,
    description,
    specifiedByURL: specifiedBy,
    parseValue: parse,
    parseLiteral,
    serialize: value => serialize(value as T),
    extensions: { accepts, answers },
  });
}

/** A text of digits, and after a dot one or two decimals. */
function parseAmountText(text: string): Money {
  const [, decimals = ''] = /^\d+(?:\.(\d+))?$/.exec(text) ?? rejectAmount();
  if (decimals.length > 2) throw new ApiError('invalid_value', 'separated_thousands');
  return parseAmount(text);
}

/** JavaScript writes a number with an exponent or many digits if it is not a valid amount. */
function parseAmount(text: string): Money {
  if (/\de|\d{20}/.test(text)) throw new ApiError('invalid_value', 'amount_too_precise');
  const { centavos, exact } = parseMoney(text) ?? rejectAmount();
  if (!exact || centavos > MAX_CENTAVOS || centavos < -MAX_CENTAVOS)
    throw new ApiError('invalid_value', 'amount_too_precise');
  return centavos;
}

function rejectAmount(): never {
  throw new ApiError('malformed', 'not_amount');
}

export const MoneyScalar = scalar<Money>({
  name: 'Money',
  description:
    'Amount in Colombian pesos with at most two decimals, as a number or a string without thousands separators',
  takesNumbers: true,
  parse: value => {
    if (value instanceof ThreeDecimals) throw new ApiError('invalid_value', 'separated_thousands');
    if (typeof value === 'string') return parseAmountText(value);
    if (typeof value !== 'number' && typeof value !== 'bigint') return rejectAmount();
    return parseAmount(String(value));
  },
  serialize: formatMoney,
});

export const DayScalar = scalar<string>({
  name: 'Day',
  description: 'Date in America/Bogota, formatted as yyyy-mm-dd',
  specifiedBy: TIME_SPECIFICATION,
  parse: value => {
    if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) throw new ApiError('malformed', 'not_day');
    if (!dayBounds(value)) throw new ApiError('invalid_value', 'impossible_day');
    return value;
  },
  serialize: String,
});

export const TimestampScalar = scalar<Date>({
  name: 'Timestamp',
  description: 'Date and time, as 2026-11-14T18:50:00-05:00; as an argument also a date, which means its last second',
  specifiedBy: TIME_SPECIFICATION,
  parse: value => {
    if (typeof value !== 'string' || !isTimestamp(value)) throw new ApiError('malformed', 'not_time_or_day');
    const timestamp = readTimestamp(value);
    if (!timestamp) throw new ApiError('invalid_value', 'impossible_time');
    return timestamp;
  },
  serialize: timestamp => formatMoment(timestamp.getTime()),
  accepts: TIMESTAMP_OR_DAY,
});

const MAX_BASIS_POINTS = 10_000;

/** Stored in hundredths of a percent. */
export const PercentScalar = scalar<number>({
  name: 'Percent',
  description: 'A percentage with at most two decimals, for example 2.9',
  takesNumbers: true,
  parse: value => {
    const basisPoints = Number(MoneyScalar.parseValue(value));
    if (basisPoints < 0 || basisPoints > MAX_BASIS_POINTS) throw new ApiError('invalid_value', 'not_percentage');
    return basisPoints;
  },
  serialize: basisPoints => basisPoints / 100,
  accepts: { type: 'number', minimum: 0, maximum: 100 },
});
