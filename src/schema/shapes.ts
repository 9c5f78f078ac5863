/**
 * How a shape is said: one decorated line per field, like a row of the API's tables. GraphQL types, REST reading, checks, REST
 * rendering and the OpenAPI document all come from it.
 */
import 'reflect-metadata';
import { GraphQLBoolean, GraphQLInt, type GraphQLScalarType, GraphQLString } from 'graphql';
import { Field, registerEnumType } from 'type-graphql';
import type { IdKind } from '../platform/identifiers';
import { DayScalar, type JsonSchema, MomentScalar, MoneyScalar } from './scalars';

export type Kind =
  | 'text'
  | 'flag'
  | 'count'
  | 'money'
  | 'day'
  | 'moment'
  | 'choice'
  | 'object'
  | 'list'
  | 'values'
  | 'value';

export interface Shape {
  name: string;
  about: string;
  kind: Kind;
  /** May be left out; in requests it may be null too, which means the same. */
  optional: boolean;
  /** Of an answer: always there, and null where there is none. */
  nullable?: boolean;
  /** Longest text or list, or largest number. */
  max?: number;
  min?: number;
  /** A text of digits that may also come as a number, a whole one unless told otherwise. */
  digits?: boolean | 'decimals';
  email?: boolean;
  /** Of a choice, the words that are accepted; of a text, those that there are, which only documents say. */
  values?: readonly string[];
  /** Which kind of resource it identifies. */
  id?: IdKind;
  /** What the OpenAPI document says besides: rules that are checked elsewhere. */
  rules?: JsonSchema;
  /** Of an object, or of a list's elements. */
  of?: () => Class;
  /** Of a value, or of each of several. */
  scalar?: () => GraphQLScalarType;
  example?: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: a class of any constructor
export type Class = new (...args: any[]) => object;

type ShapeOptions = Partial<Omit<Shape, 'name' | 'about' | 'kind' | 'of' | 'scalar'>>;

const shapes = new Map<object, Map<string, Shape>>();

const whole = new Map<Class, Map<string, Shape>>();

/** The fields of a class, inherited ones first. Put together once: every request asks. */
export function shapeOf(type: Class): Map<string, Shape> {
  const known = whole.get(type);
  if (known) return known;
  const inherited = Object.getPrototypeOf(type) as Class;
  const above = inherited.name ? shapeOf(inherited) : new Map<string, Shape>();
  const shape = new Map([...above, ...(shapes.get(type) ?? [])]);
  whole.set(type, shape);
  return shape;
}

const field =
  (
    kind: Kind,
    graphqlType: () => unknown,
    about: string,
    options: ShapeOptions & Partial<Shape> = {},
  ): PropertyDecorator =>
  (prototype, property) => {
    const { nullable = false, optional = nullable, ...rest } = options;
    const own = shapes.get(prototype.constructor) ?? new Map<string, Shape>();
    shapes.set(
      prototype.constructor,
      own.set(String(property), { name: String(property), about, kind, optional, nullable, ...rest }),
    );
    Field(graphqlType as () => GraphQLScalarType, { nullable: optional, description: about, simple: true })(
      prototype,
      property,
    );
  };

export const Text = (about: string, options?: ShapeOptions) => field('text', () => GraphQLString, about, options);
export const Flag = (about: string, options?: ShapeOptions) => field('flag', () => GraphQLBoolean, about, options);
export const Count = (about: string, options?: ShapeOptions) => field('count', () => GraphQLInt, about, options);
export const Amount = (about: string, options?: ShapeOptions) => field('money', () => MoneyScalar, about, options);
export const Day = (about: string, options?: ShapeOptions) => field('day', () => DayScalar, about, options);
export const Moment = (about: string, options?: ShapeOptions) => field('moment', () => MomentScalar, about, options);
export const Nested = (about: string, of: () => Class, options?: ShapeOptions) =>
  field('object', of, about, { ...options, of });
export const ListOf = (about: string, of: () => Class, options?: ShapeOptions) =>
  field('list', () => [of()], about, { ...options, of });

/** A value that a scalar of its own reads. */
export const Value = (about: string, of: () => GraphQLScalarType, options?: ShapeOptions) =>
  field('value', of, about, { ...options, scalar: of });
/** A list of values that a scalar of its own reads; `max` is how many. */
export const Values = (about: string, of: () => GraphQLScalarType, options?: ShapeOptions) =>
  field('values', () => [of()], about, { ...options, scalar: of });

/** How GraphQL says that a word is not among those of a choice: the right kind, but not allowed. */
export const NOT_IN_ENUM = /does not exist in "\w+" enum/;

/** A choice between words. The same object is the enum of the GraphQL schema. */
export function choice<const T extends readonly string[]>(name: string, description: string, ...values: T) {
  const words = Object.fromEntries(values.map(value => [value, value])) as { [K in T[number]]: K };
  registerEnumType(words, { name, description });
  return {
    words,
    field: (about: string, options?: ShapeOptions) => field('choice', () => words, about, { ...options, values }),
  };
}

export const CURRENCIES = ['COP'] as const;
export const Currency = choice('Currency', 'Colombian pesos only', ...CURRENCIES);

/** One of the table of errors, which the OpenAPI document has as a schema of its own. */
export const ERROR_CODE = { $ref: '#/components/schemas/ErrorCode' };
