/** Shapes as JSON Schema, for requests and responses. */
import type { GraphQLScalarType } from 'graphql';
import { idPattern } from '../../../platform/identifiers';
import { formatMoney } from '../../../platform/money';
import { EMAIL_PATTERN, orEmpty, PHONE_PATTERN, STORABLE, VISIBLE } from '../../../schema/patterns';
import { MAX_CENTAVOS } from '../../../schema/scalars';
import { type Class, type Shape, shapeOf } from '../../../schema/shapes';
import { type Json, orNull, reference } from './json';

export type Side = 'request' | 'answer';

/** The largest integer in GraphQL. */
const MAX_COUNT = 2 ** 31 - 1;

const PATTERNS = { email: EMAIL_PATTERN, phone: PHONE_PATTERN };

/** Responses need no limits, because they contain accepted values. */
function text({ max, form, id, values, optional }: Shape, side: Side): Json {
  if (values) return { type: 'string', enum: values };
  if (id) return { type: 'string', pattern: idPattern(id) };
  if (side === 'answer') return { type: 'string' };
  return {
    type: 'string',
    ...(form === 'email' ? { format: 'email' } : {}),
    ...(optional ? {} : { minLength: 1 }),
    ...(max === undefined ? {} : { maxLength: max }),
    pattern: patternOf(form, optional),
  };
}

function patternOf(form: Shape['form'], optional: boolean): string {
  if (form === undefined) return optional ? STORABLE : VISIBLE;
  return form === 'phone' && optional ? orEmpty(PATTERNS.phone) : PATTERNS[form];
}

const count = ({ min, max }: Shape, side: Side): Json => ({
  type: 'integer',
  ...(min === undefined ? {} : { minimum: min }),
  ...(side === 'request' ? { maximum: max ?? MAX_COUNT } : {}),
});

/** Without multipleOf: 0.01 has no exact double, so validators would reject 0.29. */
const money = ({ min }: Shape, side: Side): Json => ({
  type: 'number',
  ...(side === 'request' && {
    minimum: formatMoney(min === undefined ? -MAX_CENTAVOS : BigInt(min)),
    maximum: formatMoney(MAX_CENTAVOS),
  }),
});

/** Scalars of GraphQL itself. */
const STANDARD: Record<string, Json> = { ID: { type: 'string' }, Int: { type: 'integer' } };

const scalarSchema = ({ scalar }: Shape, side: Side): Json => {
  const { name, extensions } = (scalar as () => GraphQLScalarType)();
  return STANDARD[name] ?? (extensions[side === 'request' ? 'accepts' : 'answers'] as Json);
};

const kinds: Record<Shape['kind'], (shape: Shape, side: Side) => Json> = {
  text,
  count,
  money,
  flag: () => ({ type: 'boolean' }),
  day: () => ({ type: 'string', format: 'date' }),
  moment: () => ({ type: 'string', format: 'date-time' }),
  choice: ({ values }) => ({ type: 'string', enum: values }),
  choices: ({ values }) => ({ type: 'array', minItems: 1, items: { type: 'string', enum: values } }),
  object: ({ of }) => reference((of as () => Class)().name),
  oneOf: ({ alternatives }) => ({ oneOf: (alternatives as () => Class[])().map(({ name }) => reference(name)) }),
  list: ({ of }) => ({ type: 'array', items: reference((of as () => Class)().name) }),
  value: scalarSchema,
  values: (shape, side) => ({
    type: 'array',
    items: scalarSchema(shape, side),
    ...(shape.max === undefined ? {} : { maxItems: shape.max }),
  }),
};

/** The schema of the value, regardless of null. */
export function valueSchema(shape: Shape, side: Side): Json {
  const schema = kinds[shape.kind](shape, side);
  return shape.rules?.$ref ? shape.rules : { ...schema, ...shape.rules };
}

const exampleOf = ({ example, kind, values }: Shape): unknown =>
  example ?? (kind === 'moment' ? '2026-11-14T18:50:00-05:00' : values?.[0]);

export function property(shape: Shape, side: Side, initial?: unknown): Json {
  const schema = valueSchema(shape, side);
  const mayBeNull = side === 'request' ? shape.optional : shape.nullable;
  const example = exampleOf(shape);
  return {
    ...(mayBeNull ? orNull(schema) : schema),
    description: side === 'request' && shape.kind === 'money' ? `${shape.about}. At most two decimals` : shape.about,
    ...(initial === undefined ? {} : { default: initial }),
    ...(example === undefined ? {} : { examples: [example] }),
  };
}

export function objectSchema(
  type: Class,
  side: Side,
): Json & { required?: string[]; properties: Record<string, Json> } {
  const fields = [...shapeOf(type).values()];
  const initial = (side === 'request' ? new type() : {}) as Json;
  const required = fields.filter(({ optional, nullable }) => !optional || (side === 'answer' && nullable));
  return {
    type: 'object',
    ...(required.length > 0 ? { required: required.map(({ name }) => name) } : {}),
    properties: Object.fromEntries(fields.map(shape => [shape.name, property(shape, side, initial[shape.name])])),
  };
}

/** The class and all classes nested in it. */
export function* classesOf(type: Class): Generator<Class> {
  yield type;
  for (const { of, alternatives } of shapeOf(type).values())
    for (const shown of [...(of ? [of()] : []), ...(alternatives?.() ?? [])]) yield* classesOf(shown);
}
