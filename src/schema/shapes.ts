/**
 * Shapes: classes with one decorated line per field. GraphQL types, REST parsing, validation and rendering, and the OpenAPI
 * document all derive from them.
 */
import 'reflect-metadata';
import { GraphQLBoolean, GraphQLID, GraphQLInt, type GraphQLScalarType, GraphQLString } from 'graphql';
import { createUnionType, Field, registerEnumType } from 'type-graphql';
import type { IdKind } from '../platform/identifiers';
import { DayScalar, type JsonSchema, MoneyScalar, TimestampScalar } from './scalars';

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
  /** May be omitted; in requests null means the same, unless it is `clearable`. */
  optional: boolean;
  /** In requests null clears the value. */
  clearable?: boolean;
  /** As a filter in a REST query, one parameter `name[key]=value` per pair. */
  pairs?: boolean;
  /** Always present in responses, possibly null. */
  nullable?: boolean;
  /** Maximum length of a text or list, or the largest number. */
  max?: number;
  min?: number;
  /** A text of digits that may also be sent as an integer, or as any number with 'decimals'. */
  digits?: boolean | 'decimals';
  form?: 'email' | 'phone';
  /** A card number, which no other text may contain. */
  cardNumber?: boolean;
  /** A name or an address, which must not contain a card number. */
  personal?: boolean;
  /** The accepted words of a choice; for a text, the documented values. */
  values?: readonly string[];
  /** The GraphQL enum of texts that REST has as they are. */
  words?: Readonly<Record<string, string>>;
  /** The kind of the referenced resource. */
  id?: IdKind;
  /** Only in REST and webhooks: GraphQL has types instead. */
  untyped?: boolean;
  /** Documented rules that are enforced elsewhere. */
  rules?: JsonSchema;
  /** The class of an object or of a list's elements. */
  of?: () => Class;
  /** The classes of a union. */
  alternatives?: () => Class[];
  classOf?: (record: object) => Class;
  /** The scalar of a value or of each value in a list. */
  scalar?: () => GraphQLScalarType;
  example?: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: a class of any constructor
export type Class = new (...args: any[]) => object;

type ShapeOptions = Partial<Omit<Shape, 'name' | 'about' | 'kind' | 'of' | 'alternatives' | 'classOf' | 'scalar'>>;

const shapes = new Map<object, Map<string, Shape>>();

const shapeCache = new Map<Class, Map<string, Shape>>();

/** The fields of a class, inherited ones first. */
export function shapeOf(type: Class): Map<string, Shape> {
  const cached = shapeCache.get(type);
  if (cached) return cached;
  const parent = Object.getPrototypeOf(type) as Class;
  const inherited = parent.name ? shapeOf(parent) : new Map<string, Shape>();
  const shape = new Map([...inherited, ...(shapes.get(type) ?? [])]);
  shapeCache.set(type, shape);
  return shape;
}

/** Copies the fields of `type` from the input. */
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

/** Named like IDs, but texts of the merchant or the client. */
const FOREIGN_IDS = ['order_id', 'external_id', 'device_session_id', 'request_id'];

/** A text; of the GraphQL type ID if its name is that of an ID. */
export const Text =
  (about: string, options?: ShapeOptions): PropertyDecorator =>
  (prototype, property) => {
    const isId = /^(.+_)?id$/.test(String(property)) && !FOREIGN_IDS.includes(String(property));
    field('text', () => options?.words ?? (isId ? GraphQLID : GraphQLString), about, options)(prototype, property);
  };
export const Flag = (about: string, options?: ShapeOptions) => field('flag', () => GraphQLBoolean, about, options);
export const Count = (about: string, options?: ShapeOptions) => field('count', () => GraphQLInt, about, options);
export const Amount = (about: string, options?: ShapeOptions) => field('money', () => MoneyScalar, about, options);
export const Day = (about: string, options?: ShapeOptions) => field('day', () => DayScalar, about, options);
export const Moment = (about: string, options?: ShapeOptions) => field('moment', () => TimestampScalar, about, options);
export const Nested = (about: string, of: () => Class, options?: ShapeOptions) =>
  field('object', of, about, { ...options, of });
export const ListOf = (about: string, of: () => Class, options?: ShapeOptions) =>
  field('list', () => [of()], about, { ...options, of });

/** A union of the GraphQL schema, resolved by `classOf`. */
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

export const Value = (about: string, of: () => GraphQLScalarType, options?: ShapeOptions) =>
  field('value', of, about, { ...options, scalar: of });
export const Values = (about: string, of: () => GraphQLScalarType, options?: ShapeOptions) =>
  field('values', () => [options?.words ?? of()], about, { ...options, scalar: of });

/** An enum of the GraphQL schema and a decorator for fields of it. */
export function choice<const T extends readonly string[]>(name: string, description: string, ...values: T) {
  const words = Object.fromEntries(values.map(value => [value, value])) as { [K in T[number]]: K };
  registerEnumType(words, { name, description });
  return {
    words,
    field: (about: string, options?: ShapeOptions) => field('choice', () => words, about, { ...options, values }),
    /** Several of the words; separated by commas in a REST query. */
    several: (about: string, options?: ShapeOptions) => field('choices', () => [words], about, { ...options, values }),
  };
}

export const Currency = choice('Currency', 'Colombian pesos only', 'COP');

/** A reference to the table of error codes in the OpenAPI document. */
export const ERROR_CODE = { $ref: '#/components/schemas/ErrorCode' };
