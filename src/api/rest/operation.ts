/** Converts the requests of a route into arguments of its GraphQL field, and the field's result into JSON. */
import { coerceInputValue, type GraphQLField, type GraphQLSchema, isNonNullType } from 'graphql';
import { ApiError } from '../../platform/errors';
import { violationsOf } from '../../schema/check';
import { throwFirst } from '../../schema/checkAll';
import type { Context } from '../../schema/operation/context';
import { guard } from '../../schema/operation/guard';
import { type Render, rendererOf } from '../../schema/render';
import { type Class, shapeOf } from '../../schema/shapes';
import type { StreamedResult } from '../../schema/streamedResult';
import { COST_PER_WEIGHT, MAX_RECORDS, type RequestSize, weightOf } from '../admission/requestSize';
import type { HttpResponse } from '../idempotency';
import { inputError } from '../inputErrors';
import { JSON_TYPE } from '../request';
import { requireResources } from '../resources';
import type { StreamableResponse } from '../streamBody';
import { CSV_TYPE, prefersCsv, toCsv } from './csv';
import { fieldMetadataOf } from './fieldMetadata';
import { isParameterOf, parameterName, queryName, readFilter } from './filters';
import type { Route } from './routes';
import { type ListWindow, readWholeList, startCsvStream, startStream } from './streams';
import { isObject, normalize } from './tolerance';

export interface RequestInput {
  params: Record<string, string>;
  query: Record<string, unknown>;
  /** Absent without a request body. */
  body?: unknown;
  /** The Accept header. */
  accept?: string | undefined;
}

/** Parameters that request a page. */
const PAGE_PARAMETERS = ['limit', 'first', 'offset', 'after'];

/** REST returns no deleted resources; GraphQL does. */
export const hasNoResponseBody = ({ method, field }: Route): boolean =>
  method === 'DELETE' || fieldMetadataOf(field).answer === (Boolean as unknown);

export class Operation {
  private readonly field: GraphQLField<unknown, Context>;
  /** The connection field of a list that may be longer than a page. */
  private readonly connection: GraphQLField<unknown, Context> | undefined;
  private readonly fieldMetadata: ReturnType<typeof fieldMetadataOf>;
  private readonly render: Render;

  constructor(
    schema: GraphQLSchema,
    readonly route: Route,
  ) {
    const field = schema.getQueryType()?.getFields()[route.field] ?? schema.getMutationType()?.getFields()[route.field];
    if (!field) throw new Error(`${route.method} ${route.path} names no field: ${route.field}`);
    this.field = field;
    // Without `first`, a page holds the whole list.
    if (field.args.some(({ name }) => name === 'first'))
      this.connection = schema.getQueryType()?.getFields()[`${route.field}Connection`];
    this.fieldMetadata = fieldMetadataOf(route.field);
    const { answer, isList } = this.fieldMetadata;
    const renderRecord = hasNoResponseBody(route) ? () => undefined : rendererOf(answer);
    this.render = isList ? value => (value as unknown[]).map(renderRecord) : renderRecord;
  }

  /** A list counts as one request per 25 requested records. */
  sizeOf({ query, accept }: Pick<RequestInput, 'query' | 'accept'>): RequestSize {
    if (this.route.method !== 'GET')
      return { requestClass: this.field.extensions.cardRateLimit ? 'card' : 'write', weight: 1 };
    const records = this.isInParts({ query, accept })
      ? MAX_RECORDS
      : this.fieldMetadata.isList
        ? Math.min(Number(query.limit ?? query.first), Number(query.first ?? MAX_RECORDS))
        : 0;
    const computedWeight = Math.floor(Number(this.field.extensions.complexity ?? 0) / COST_PER_WEIGHT);
    return { requestClass: 'read', weight: weightOf(records) + computedWeight, computedWeight };
  }

  /** Runs before the query or body is read. */
  guard(context: Context): void {
    guard(context, this.field);
  }

  /** The JSON of the response; undefined without content. */
  async perform(context: Context, input: RequestInput): Promise<unknown> {
    return this.render(await this.call(context, input));
  }

  /** Lists are JSON, or CSV if the client prefers it. */
  toResponse(json: unknown, { accept }: RequestInput): HttpResponse {
    const { isList, answer } = this.fieldMetadata;
    const mayBeCsv = isList && this.route.method === 'GET';
    const headers = { ...JSON_TYPE, ...(mayBeCsv && { vary: 'Accept' }) };
    if (!mayBeCsv || !prefersCsv(accept)) return { status: 200, headers, body: JSON.stringify(json) };
    const file = { 'content-disposition': `attachment; filename="${this.route.field}.csv"` };
    return { status: 200, headers: { ...headers, ...CSV_TYPE, ...file }, body: toCsv(answer, json as unknown[]) };
  }

  /** Whether the response is read part by part: streams, and whole lists as CSV. */
  isInParts({ query, accept }: Pick<RequestInput, 'query' | 'accept'>): boolean {
    const { isList } = this.fieldMetadata;
    const isWholeList = isList && this.connection !== undefined && !PAGE_PARAMETERS.some(name => name in query);
    return this.route.streams === true || (isWholeList && this.route.method === 'GET' && prefersCsv(accept));
  }

  async start(context: Context, input: RequestInput): Promise<StreamableResponse> {
    const { answer } = this.fieldMetadata;
    if (this.route.streams)
      return startStream(answer, (await this.call(context, input)) as StreamedResult, input.accept);
    const args = await this.argumentsOf(context, input);
    const read = (after?: string) =>
      this.connection?.resolve?.(
        undefined,
        { ...args, first: MAX_RECORDS, after },
        // A new context, because each part has its own byte limit.
        { ...context },
        undefined as never,
      ) as Promise<ListWindow>;
    return startCsvStream(answer, { parts: () => readWholeList(read), fileName: this.route.field });
  }

  private async call(context: Context, input: RequestInput): Promise<unknown> {
    const args = await this.argumentsOf(context, input);
    return this.field.resolve?.(undefined, args, context, undefined as never);
  }

  private async argumentsOf(context: Context, input: RequestInput): Promise<Record<string, unknown>> {
    const args = this.readArguments(input);
    // Missing resources in filters are allowed, but not in the path.
    if (this.fieldMetadata.filters) await requireResources(context, this.filtersInPath(input.params));
    return args;
  }

  private readArguments({ params, query, body }: RequestInput): Record<string, unknown> {
    const { body: bodyName } = this.route;
    this.rejectUnknownFilters(query, params);
    const errors: ApiError[] = [];
    const provided: Record<string, unknown> = { ...this.readFilters(query), ...params };
    if (bodyName) provided[bodyName] = this.readBody(bodyName, body, errors);
    const args: Record<string, unknown> = {};
    for (const { name, type } of this.field.args) {
      if (provided[name] === undefined && !isNonNullType(type)) continue;
      const isBody = name === bodyName;
      args[name] = coerceInputValue(provided[name], type, (path, value, error) => {
        // Every invalid path or query parameter is an invalid value.
        const [place, kind] = isBody ? [path.join('.')] : [queryName(name), 'invalid_value' as const];
        errors.push(value instanceof ApiError ? value.as(kind ?? value.kind, place) : inputError(error, place, kind));
      });
    }
    // The field itself validates its arguments; if it is not called, the same checks run here.
    if (errors.length > 0) {
      const { filters, inputs } = this.fieldMetadata;
      if (bodyName) errors.push(...violationsOf(args[bodyName], inputs.get(bodyName)));
      throwFirst([...errors, ...violationsOf(args, filters).map(error => error.as('invalid_value'))]);
    }
    return args;
  }

  private readFilters(query: Record<string, unknown>): Record<string, unknown> {
    const { filters } = this.fieldMetadata;
    if (!filters) return {};
    const shapes = [...shapeOf(filters).values()];
    return Object.fromEntries(shapes.map(shape => [shape.name, readFilter(shape, query)]));
  }

  /** Ignoring an unknown filter would return every record. One client repeats the path's customer in its query. */
  private rejectUnknownFilters(query: Record<string, unknown>, params: Record<string, string>): void {
    const { filters, isList } = this.fieldMetadata;
    if (!(isList || this.route.streams) || this.route.method !== 'GET') return;
    const known = (filters ? [...shapeOf(filters).values()] : []).filter(({ name }) => !(name in params));
    const isRepeated = (name: string): boolean => /^customer(_id)?$/.test(name) && query[name] === params.customer_id;
    const isKnown = (name: string): boolean => known.some(shape => isParameterOf(shape, name));
    const unknown = Object.keys(query).filter(name => !isKnown(name) && !isRepeated(name));
    const [field] = unknown;
    if (field === undefined) return;
    const names = unknown.map(name => name.slice(0, 50)).join(', ');
    const supported = known.map(parameterName).join(', ') || 'none';
    throw new ApiError('invalid_value', 'unknown_filter', { field, names, known: supported });
  }

  private filtersInPath(params: Record<string, string>): Record<string, string> {
    const { filters } = this.fieldMetadata;
    return Object.fromEntries(Object.entries(params).filter(([name]) => filters && shapeOf(filters).has(name)));
  }

  private readBody(name: string, body: unknown, errors: ApiError[]): unknown {
    const type = this.fieldMetadata.inputs.get(name) as Class;
    // If every field is optional, an absent body and an empty array count as an empty object.
    const isEmpty = body === undefined || (Array.isArray(body) && body.length === 0);
    const object = isEmpty && [...shapeOf(type).values()].every(({ optional }) => optional) ? {} : body;
    if (!isObject(object)) throw new ApiError('malformed', 'body_not_object');
    return normalize(object, type, error => errors.push(error));
  }
}
