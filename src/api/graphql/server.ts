/** Executes GraphQL operations, with the same keys and errors as REST. Subscriptions share its validation. */
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FormattedExecutionResult,
  type GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  subscribe,
} from 'graphql';
import type { Environment } from '../../../prisma/generated/enums';
import { ApiError } from '../../platform/errors';
import type { Log } from '../../platform/log';
import { toApiError } from '../../platform/toApiError';
import type { Context } from '../../schema/operation/context';
import type { Entry } from '../admission/admission';
import { AnswerSize, countingResolver, writeAnswer } from './answerSize';
import { costOf, NO_COST, type RequestCost, rejectCostly } from './cost';
import { rejectLarge } from './documentSize';
import { documentError, variableErrors } from './errors';
import { furtherSizes } from './furtherSizes';
import { findMissingResource } from './missingResource';
import { nullErrors } from './nullVariables';
import { type GraphqlInput, readRequest } from './readRequest';
import { DocumentValidator } from './validation';

export interface GraphqlResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  final: boolean;
  errors: readonly (ApiError | undefined)[];
}

export type LiveResults = AsyncGenerator<ExecutionResult>;

interface GraphqlContext extends Context {
  /** Set in requests for a stream; receives the results. */
  stream?: { results?: LiveResults };
  answerSize?: AnswerSize;
  entry?: Pick<Entry, 'takeMore' | 'budget'>;
  /** Set after validation. */
  cost?: RequestCost;
}

interface ResolvedRequest {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variableValues: Record<string, unknown>;
}

/** Code of the errors of arguments that type-graphql rejects. */
const BAD_INPUT = 'BAD_USER_INPUT';

export class GraphqlServer {
  /** The original error of each formatted one, with the cause to log. */
  private readonly origins = new WeakMap<object, { error: ApiError; cause: unknown }>();
  private readonly validator: DocumentValidator;

  constructor(
    readonly schema: GraphQLSchema,
    environment: Environment,
    private readonly log: Log,
  ) {
    this.validator = new DocumentValidator(schema, environment === 'sandbox');
  }

  /** The caller has checked the permissions. */
  async execute(context: GraphqlContext, input: GraphqlInput): Promise<GraphqlResponse> {
    if (!input.body) throw input.problem;
    const { query, variables } = readRequest(input.body);
    if (input.document) rejectLarge(input.document);
    const answerSize = new AnswerSize();
    const contextValue: GraphqlContext = { ...context, answerSize };
    const invalid = this.validator.errorsOf(query, input.document);
    const result: Result =
      invalid.length > 0
        ? { errors: invalid.map(error => this.renderDocumentError(error)) }
        : await this.run(contextValue, input, variables);
    const errors = (result.errors ?? []).map(error => this.origins.get(error)?.error);
    let status = 200;
    // An abandoned response has many errors, which are not sent.
    if (!answerSize.isExceeded) {
      const { cost = NO_COST, entry } = contextValue;
      result.extensions = { cost: { ...cost, ...(entry && { budget: entry.budget() }) } };
      // Without data no field was executed, so the HTTP status is that of the error, as in REST.
      if (result.errors && result.data === undefined) status = errors[0]?.http_code ?? 500;
      for (const error of result.errors ?? []) this.finish(error, contextValue);
    }
    const headers = Object.assign({}, ...errors.map(error => error?.headers));
    const body = writeAnswer(result, answerSize, input.operation?.operation === 'mutation');
    return { status, headers, body, final: errors.every(error => error?.final), errors };
  }

  /** The results of a subscription, or the error response. */
  async subscribe(context: Context, input: GraphqlInput): Promise<LiveResults | GraphqlResponse> {
    const stream: GraphqlContext['stream'] = {};
    const response = await this.execute({ ...context, stream }, input);
    return stream.results ?? response;
  }

  /** Formats the errors of a subscription result like those of other operations. */
  formatResult(result: ExecutionResult, context: Context): FormattedExecutionResult {
    const formatted = this.formatErrors(result);
    for (const error of formatted.errors ?? []) this.finish(error, context);
    return formatted;
  }

  private async run(
    contextValue: GraphqlContext,
    { document, operation }: GraphqlInput,
    variableValues: Record<string, unknown>,
  ): Promise<Result> {
    try {
      if (!document || !operation) throw new ApiError('malformed', 'no_operation');
      await this.admit(contextValue, { document, operation, variableValues });
      return await this.resolve(contextValue, { document, operation, variableValues });
    } catch (error) {
      return { errors: [this.format({ message: '' }, error)] };
    }
  }

  private async admit(
    contextValue: GraphqlContext,
    { document, operation, variableValues }: ResolvedRequest,
  ): Promise<void> {
    const isSubscription = operation.operation === 'subscription';
    if (contextValue.stream && !isSubscription) throw new ApiError('malformed', 'not_subscription');
    if (!contextValue.stream && isSubscription) throw new ApiError('malformed', 'subscription_elsewhere');
    contextValue.cost = costOf(this.schema, document, operation, variableValues);
    rejectCostly(contextValue.cost);
    for (const size of furtherSizes(this.schema, document, operation, contextValue.cost))
      await contextValue.entry?.takeMore(size);
  }

  private async resolve(contextValue: GraphqlContext, request: ResolvedRequest): Promise<Result> {
    const { schema } = this;
    const { document, operation, variableValues } = request;
    const wrong = [
      ...variableErrors(operation, variableValues),
      ...nullErrors(schema, document, operation, variableValues),
    ];
    if (wrong.length > 0) {
      // A missing resource is reported before other errors, as in REST.
      const missing = await findMissingResource(contextValue, document, operation, variableValues);
      if (missing) return { errors: [this.render(missing)] };
      const others = wrong.slice(1).map(({ error }) => error);
      return {
        errors: wrong.map(({ error, locations }, i) =>
          this.render(i === 0 ? error.with(others) : error, locations ? { locations } : {}),
        ),
      };
    }
    const args = { schema, document, contextValue, variableValues, operationName: operation.name?.value };
    if (!contextValue.stream) return this.formatErrors(await execute({ ...args, fieldResolver: countingResolver }));
    const results = await subscribe(args);
    if ('errors' in results) return this.formatErrors({ errors: results.errors ?? [] });
    contextValue.stream.results = results as LiveResults;
    return { data: null };
  }

  private formatErrors({ errors, ...result }: ExecutionResult): Result {
    return errors ? { errors: errors.map(error => this.format(error.toJSON(), error)), ...result } : result;
  }

  private renderDocumentError(error: GraphQLError): GraphQLFormattedError {
    const { message, extensions: _, ...place } = error.toJSON();
    return this.render(documentError(message), place, error);
  }

  private format({ message, extensions, ...place }: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError {
    const cause = unwrap(thrown);
    const isOfInput = extensions?.code === BAD_INPUT && !(cause instanceof ApiError);
    return this.render(isOfInput ? documentError(message) : toApiError(cause), place, cause);
  }

  private render(error: ApiError, place: ErrorPlace = {}, cause: unknown = error): GraphQLFormattedError {
    const formatted = { ...place, message: error.message, extensions: { ...error.extensions } };
    this.origins.set(formatted, { error, cause });
    return formatted;
  }

  private finish(formatted: GraphQLFormattedError, { request_id, merchant_id }: Context): void {
    const { error, cause } = this.origins.get(formatted) ?? {};
    if (error?.kind === 'internal')
      this.log.error({ err: cause, request_id, merchant: merchant_id }, 'request: internal error');
    Object.assign(formatted.extensions ?? {}, { request_id });
  }
}

type ErrorPlace = Pick<GraphQLFormattedError, 'locations' | 'path'>;

type Result = { -readonly [K in keyof FormattedExecutionResult]: FormattedExecutionResult[K] };

const unwrap = (thrown: unknown): unknown => (thrown as { originalError?: unknown }).originalError ?? thrown;
