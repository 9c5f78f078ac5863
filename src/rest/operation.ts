/** A row of routes.ts, made ready once: from what a request brings to the field's arguments, and from what the field answers to JSON. */
import { coerceInputValue, type GraphQLField, type GraphQLSchema, isNonNullType } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import type { Context } from '../context';
import { ApiError, type ErrorName } from '../errors';
import { guard } from '../schema/guard';
import { type Render, rendererOf } from '../schema/render';
import { type Class, shapeOf } from '../schema/shapes';
import { normalise, read } from './read';
import type { Route } from './routes';

export interface Brought {
  params: Record<string, string>;
  query: Record<string, unknown>;
  /** Absent where there is none. */
  body?: unknown;
}

/** What type-graphql knows of a root field. */
export function signatureOf(name: string) {
  const { queries, mutations } = getMetadataStorage();
  const found = [...queries, ...mutations].find(({ schemaName }) => schemaName === name);
  if (!found) throw new Error(`There is no field ${name}`);
  const params = found.params ?? [];
  const args = params.flatMap(param => (param.kind === 'args' ? [param.getType() as Class] : []))[0];
  const inputs = new Map(
    params.flatMap(param => (param.kind === 'arg' ? [[param.name, param.getType() as Class] as const] : [])),
  );
  return {
    filters: args,
    inputs,
    answer: found.getReturnType() as Class,
    isList: found.returnTypeOptions.array === true,
    description: found.description,
  };
}

/** `creation[gte]` in a query is the argument `creation_gte`. */
export const queryName = (argument: string): string => argument.replace(/_(gte|lte)$/, '[$1]');

export class Operation {
  private readonly field: GraphQLField<unknown, Context>;
  private readonly signature: ReturnType<typeof signatureOf>;
  private readonly render: Render;

  constructor(
    schema: GraphQLSchema,
    readonly route: Route,
  ) {
    const field = schema.getQueryType()?.getFields()[route.field] ?? schema.getMutationType()?.getFields()[route.field];
    if (!field) throw new Error(`${route.method} ${route.path} names no field: ${route.field}`);
    this.field = field;
    this.signature = signatureOf(route.field);
    const { answer, isList } = this.signature;
    const one = answer !== (Boolean as unknown) ? rendererOf(answer) : () => undefined;
    this.render = isList ? value => (value as unknown[]).map(one) : one;
  }

  /** Before anything of the request is read. */
  guard(context: Context): void {
    guard(context, this.field);
  }

  /** The JSON of the answer; undefined where there is nothing to say. */
  async perform(context: Context, brought: Brought): Promise<unknown> {
    const args = this.readArguments(brought);
    return this.render(await this.field.resolve?.(undefined, args, context, undefined as never));
  }

  private readArguments({ params, query, body }: Brought): Record<string, unknown> {
    const { body: bodyName } = this.route;
    const given: Record<string, unknown> = { ...params, ...this.readFilters(query) };
    if (bodyName) given[bodyName] = this.readBody(bodyName, body);
    const args: Record<string, unknown> = {};
    for (const { name, type } of this.field.args) {
      if (given[name] === undefined && !isNonNullType(type)) continue;
      args[name] = coerceInputValue(given[name], type, (path, _value, error) => {
        const wrong: ErrorName = name === bodyName ? 'malformed' : 'invalid_value';
        const where = [...(name === bodyName ? path : [queryName(name)])].join('.');
        if (error.originalError instanceof ApiError)
          throw new ApiError(error.originalError.kind, `${where} ${error.originalError.message}`);
        if (error instanceof ApiError)
          throw new ApiError(name === bodyName ? error.kind : wrong, `${where} ${error.message}`);
        throw new ApiError(wrong, missing(error.message) ?? `${where} has the wrong format`);
      });
    }
    return args;
  }

  private readFilters(query: Record<string, unknown>): Record<string, unknown> {
    const { filters } = this.signature;
    if (!filters) return {};
    const shapes = [...shapeOf(filters).values()].filter(({ name }) => query[queryName(name)] !== undefined);
    return Object.fromEntries(shapes.map(shape => [shape.name, read(shape, query[queryName(shape.name)])]));
  }

  private readBody(name: string, body: unknown): unknown {
    const type = this.signature.inputs.get(name) as Class;
    // Where every field is optional, nothing and an empty array are as good as an empty object.
    const nothing = body === undefined || (Array.isArray(body) && body.length === 0);
    return normalise(nothing && [...shapeOf(type).values()].every(({ optional }) => optional) ? {} : body, type);
  }
}

const missing = (message: string): string | undefined => {
  const field = /^Field "(\w+)" of required type/.exec(message)?.[1];
  return field && `${field} is required`;
};
