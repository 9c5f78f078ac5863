/**
 * Shapes: classes with one decorated line per field, like a row of the API's tables. The GraphQL types, the parsing,
 * validation and rendering of REST, and the OpenAPI document are all derived from them.
 */
import 'reflect-metadata';
import { GraphQLBoolean, GraphQLID, GraphQLInt, type GraphQLScalarType, GraphQLString } from 'graphql';
import { createUnionType, Field, registerEnumType } from 'type-graphql';
import type { IdKind } from '../platform/identifiers';
import { DayScalar, type JsonSchema, MomentScalar, MoneyScalar } from './scalars';

type Kind =
  | 'text'
  | 'flag'
  | 'count'
  | 'money'
  | 'day'
  | 'moment'
  | 'choice'
  | 'choices'
  | 'object'
  | 'oneOf'
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
  /** The maximum length of a text or a list, or the largest number. */
  max?: number;
  min?: number;
  /** A text of digits that may also be sent as a number: an integer, or any number with 'decimals'. */
  digits?: boolean | 'decimals';
  email?: boolean;
  /** The number of a card, which no other text may hold. */
  cardNumber?: boolean;
  /** A name or an address: nothing that looks like the number of a card. */
  personal?: boolean;
  /** Of a choice or several, the words that are accepted; of a text, those that there are, which only documents say. */
  values?: readonly string[];
  /** Which kind of resource it identifies. */
  id?: IdKind;
  /** In REST and webhooks only, because GraphQL shows the same with its types. */
  untyped?: boolean;
  /** What the OpenAPI document says besides: rules that are checked elsewhere. */
  rules?: JsonSchema;
  /** Of an object, or of a list's elements. */
  of?: () => Class;
  /** Of an answer that is one of several objects. */
  alternatives?: () => Class[];
  classOf?: (record: object) => Class;
  /** Of a value, or of each of several. */
  scalar?: () => GraphQLScalarType;
  example?: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: a class of any constructor
export type Class = new (...args: any[]) => object;

type ShapeOptions = Partial<Omit<Shape, 'name' | 'about' | 'kind' | 'of' | 'alternatives' | 'classOf' | 'scalar'>>;

const shapes = new Map<object, Map<string, Shape>>();

const shapeCache = new Map<Class, Map<string, Shape>>();

/** The fields of a class, inherited ones first. Cached, since every request needs them. */
export function shapeOf(type: Class): Map<string, Shape> {
  const cached = shapeCache.get(type);
  if (cached) return cached;
  const parent = Object.getPrototypeOf(type) as Class;
  const inherited = parent.name ? shapeOf(parent) : new Map<string, Shape>();
  const shape = new Map([...inherited, ...(shapes.get(type) ?? [])]);
  shapeCache.set(type, shape);
  return shape;
}

/** Those of the fields of `type` that the input has. */
export function fieldsOf<T extends object>(type: Class, input: T): T {
  const shape = shapeOf(type);
  const fields: Partial<T> = {};
  for (const name of Object.keys(input) as (keyof T & string)[])
    if (input[name] !== undefined && shape.has(name)) fields[name] = input[name];
  return fields as T;
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
    const ownFields = shapes.get(prototype.constructor) ?? new Map<string, Shape>();
    shapes.set(
      prototype.constructor,
      ownFields.set(String(property), { name: String(property), about, kind, optional, nullable, ...rest }),
    );
    if (rest.untyped) return;
    const described = { nullable: optional, description: about, simple: true };
    Field(graphqlType as () => GraphQLScalarType, described)(prototype, property);
  };

export const Text = (about: string, options?: ShapeOptions) => field('text', () => GraphQLString, about, options);
/** A filter by the identifier of a resource. */
export const Reference = (about: string, options?: ShapeOptions) => field('text', () => GraphQLID, about, options);
export const Flag = (about: string, options?: ShapeOptions) => field('flag', () => GraphQLBoolean, about, options);
export const Count = (about: string, options?: ShapeOptions) => field('count', () => GraphQLInt, about, options);
export const Amount = (about: string, options?: ShapeOptions) => field('money', () => MoneyScalar, about, options);
export const Day = (about: string, options?: ShapeOptions) => field('day', () => DayScalar, about, options);
export const Moment = (about: string, options?: ShapeOptions) => field('moment', () => MomentScalar, about, options);
export const Nested = (about: string, of: () => Class, options?: ShapeOptions) =>
  field('object', of, about, { ...options, of });
export const ListOf = (about: string, of: () => Class, options?: ShapeOptions) =>
  field('list', () => [of()], about, { ...options, of });

/** A union of the GraphQL schema: one of several objects, told apart by `classOf`. */
export const OneOf = (
  about: string,
  name: string,
  alternatives: () => Class[],
  classOf: (record: object) => Class,
  options?: ShapeOptions,
) => {
  const union = createUnionType({
    name,
    description: about,
    types: () => alternatives() as [Class],
    resolveType: record => classOf(record),
  });
  return field('oneOf', () => union, about, { ...options, alternatives, classOf });
};

/** A value that a custom scalar parses. */
export const Value = (about: string, of: () => GraphQLScalarType, options?: ShapeOptions) =>
  field('value', of, about, { ...options, scalar: of });
/** A list of values that a custom scalar parses, at most `max` of them. */
export const Values = (about: string, of: () => GraphQLScalarType, options?: ShapeOptions) =>
  field('values', () => [of()], about, { ...options, scalar: of });

/** An enum, both as a decorator for fields and as an enum of the GraphQL schema. */
export function choice<const T extends readonly string[]>(name: string, description: string, ...values: T) {
  const words = Object.fromEntries(values.map(value => [value, value])) as { [K in T[number]]: K };
  registerEnumType(words, { name, description });
  return {
    words,
    field: (about: string, options?: ShapeOptions) => field('choice', () => words, about, { ...options, values }),
    /** Several of the words; in a query of REST separated by commas. */
    several: (about: string, options?: ShapeOptions) => field('choices', () => [words], about, { ...options, values }),
  };
}

export const Currency = choice('Currency', 'Colombian pesos only', 'COP');

/** One of the table of errors, which the OpenAPI document has as a schema of its own. */
export const ERROR_CODE = { $ref: '#/components/schemas/ErrorCode' };
