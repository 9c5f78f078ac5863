/** A row of routes.ts, made ready once: from what a request brings to the field's arguments, and from what the field answers to JSON. */
import { coerceInputValue, type GraphQLError, type GraphQLField, type GraphQLSchema, isNonNullType } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import type { Context } from '../../context';
import { ApiError, type ErrorName } from '../../platform/errors';
import { check } from '../../schema/check';
import { guard } from '../../schema/guard';
import { type Render, rendererOf } from '../../schema/render';
import { type Class, NOT_IN_ENUM, shapeOf } from '../../schema/shapes';
import type { Route } from './routes';
import { normalise, readValue } from './tolerance';

export interface RequestInput {
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
  async perform(context: Context, brought: RequestInput): Promise<unknown> {
    const args = this.readArguments(brought);
    return this.render(await this.field.resolve?.(undefined, args, context, undefined as never));
  }

  private readArguments({ params, query, body }: RequestInput): Record<string, unknown> {
    const { body: bodyName } = this.route;
    const given: Record<string, unknown> = { ...params, ...this.readFilters(query) };
    if (bodyName) given[bodyName] = this.readBody(bodyName, body);
    const args: Record<string, unknown> = {};
    const refusals: ApiError[] = [];
    for (const { name, type } of this.field.args) {
      if (given[name] === undefined && !isNonNullType(type)) continue;
      const isBody = name === bodyName;
      args[name] = coerceInputValue(given[name], type, (path, _value, error) => {
        refusals.push(inputError(error, isBody ? 'malformed' : 'invalid_value', isBody ? path : [queryName(name)]));
      });
    }
    // Form before values, and the length of a text is form.
    const [first] = refusals;
    if (first && bodyName && !refusals.some(isMalformed)) check(args[bodyName], this.signature.inputs.get(bodyName));
    if (first) throw refusals.find(isMalformed) ?? first;
    return args;
  }

  private readFilters(query: Record<string, unknown>): Record<string, unknown> {
    const { filters } = this.signature;
    if (!filters) return {};
    const shapes = [...shapeOf(filters).values()].filter(({ name }) => query[queryName(name)] !== undefined);
    return Object.fromEntries(shapes.map(shape => [shape.name, readValue(shape, query[queryName(shape.name)])]));
  }

  private readBody(name: string, body: unknown): unknown {
    const type = this.signature.inputs.get(name) as Class;
    // Where every field is optional, nothing and an empty array are as good as an empty object.
    const nothing = body === undefined || (Array.isArray(body) && body.length === 0);
    return normalise(nothing && [...shapeOf(type).values()].every(({ optional }) => optional) ? {} : body, type);
  }
}

const isMalformed = ({ kind }: ApiError): boolean => kind === 'malformed';

/** What GraphQL says of a value, in our words. */
function inputError(error: GraphQLError, wrong: ErrorName, path: readonly (string | number)[]): ApiError {
  const where = path.join('.');
  const { originalError: cause = error } = error;
  if (cause instanceof ApiError)
    return new ApiError(wrong === 'malformed' ? cause.kind : wrong, `${where} ${cause.message}`);
  if (NOT_IN_ENUM.test(error.message))
    return new ApiError('invalid_value', `${where} is not one of the accepted values`);
  const field = /^Field "(\w+)" of required type/.exec(error.message)?.[1];
  return new ApiError(wrong, field ? `${[...path, field].join('.')} is required` : `${where} has the wrong format`);
}
