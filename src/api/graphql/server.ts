/** Apollo Server over the operations of REST, with the same keys and errors. Subscriptions share its validation. */
import { ApolloServer, type GraphQLRequestListener, type GraphQLResponse, HeaderMap } from '@apollo/server';
import {
  type ExecutionResult,
  type FormattedExecutionResult,
  type GraphQLFormattedError,
  type GraphQLSchema,
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
import { disabledPlugins } from './disabledPlugins';
import { MAX_TOKENS, rejectLarge } from './documentSize';
import { documentError, variableErrors } from './errors';
import { furtherSizes } from './furtherSizes';
import { findMissingResource } from './missingResource';
import { nullErrors } from './nullVariables';
import { type GraphqlInput, readRequest } from './readRequest';

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

/** Apollo's codes for client errors. */
const CLIENT_ERROR_CODES =
  /^(GRAPHQL_(PARSE|VALIDATION)_FAILED|BAD_(USER_INPUT|REQUEST)|OPERATION_RESOLUTION_FAILURE)$/;

const MAX_DOCUMENT_ERRORS = 10;

export class GraphqlServer {
  private readonly apollo: ApolloServer<GraphqlContext>;
  /** The original error of each formatted one, with the cause to log. */
  private readonly origins = new WeakMap<object, { error: ApiError; cause: unknown }>();

  constructor(
    readonly schema: GraphQLSchema,
    environment: Environment,
    private readonly log: Log,
  ) {
    const isSandbox = environment === 'sandbox';
    this.apollo = new ApolloServer<GraphqlContext>({
      schema,
      introspection: isSandbox,
      hideSchemaDetailsFromClientErrors: !isSandbox,
      includeStacktraceInErrorResponses: false,
      persistedQueries: false,
      stopOnTerminationSignals: false,
      parseOptions: { maxTokens: MAX_TOKENS },
      // Suggestions take longer than the rest of the validation.
      validationOptions: { maxErrors: MAX_DOCUMENT_ERRORS, hideSuggestions: !isSandbox },
      fieldResolver: countingResolver,
      plugins: [...disabledPlugins, { requestDidStart: async () => this.requestHooks }],
      formatError: (graphqlError, thrown) => this.format(graphqlError, thrown),
    });
    this.apollo.startInBackgroundHandlingStartupErrorsByLoggingAndFailingAllRequests();
  }

  /** The caller has checked the permissions. */
  async execute(
    context: GraphqlContext,
    { body, problem, document, operation }: GraphqlInput,
  ): Promise<GraphqlResponse> {
    if (!body) throw problem;
    const request = readRequest(body);
    if (document) rejectLarge(document);
    const answerSize = new AnswerSize();
    const contextValue = { ...context, answerSize };
    const { http, body: result } = await this.apollo.executeOperation(request, { contextValue });
    if (result.kind !== 'single') throw new Error('Apollo returned an incremental response');
    const errors = (result.singleResult.errors ?? []).map(error => this.origins.get(error)?.error);
    const headers = Object.assign({}, ...errors.map(error => error?.headers));
    const text = writeAnswer(result.singleResult, answerSize, operation?.operation === 'mutation');
    return { status: http.status ?? 200, headers, body: text, final: errors.every(error => error?.final), errors };
  }

  /** The results of a subscription, or the error response. */
  async subscribe(context: Context, input: GraphqlInput): Promise<LiveResults | GraphqlResponse> {
    const stream: GraphqlContext['stream'] = {};
    const response = await this.execute({ ...context, stream }, input);
    return stream.results ?? response;
  }

  /** Formats the errors of a subscription result like those of other operations. */
  formatResult({ errors, ...result }: ExecutionResult, context: Context): FormattedExecutionResult {
    if (!errors) return result;
    const formatted = errors.map(error => this.format(error.toJSON(), error));
    for (const error of formatted) this.finish(error, context);
    return { ...result, errors: formatted };
  }

  close(): Promise<void> {
    return this.apollo.stop();
  }

  private readonly requestHooks: GraphQLRequestListener<GraphqlContext> = {
    didResolveOperation: async ({ document, operation, request, contextValue }) => {
      if (!operation) throw new ApiError('malformed', 'no_operation');
      const isSubscription = operation.operation === 'subscription';
      if (contextValue.stream && !isSubscription) throw new ApiError('malformed', 'not_subscription');
      if (!contextValue.stream && isSubscription) throw new ApiError('malformed', 'subscription_elsewhere');
      contextValue.cost = costOf(this.schema, document, operation, request.variables ?? {});
      rejectCostly(contextValue.cost);
      for (const size of furtherSizes(this.schema, document, operation, contextValue.cost))
        await contextValue.entry?.takeMore(size);
    },

    responseForOperation: async ({ document, operation, request, contextValue }) => {
      const { schema } = this;
      const { variables: variableValues = {}, operationName } = request;
      const wrong = [
        ...variableErrors(operation, variableValues),
        ...nullErrors(schema, document, operation, variableValues),
      ];
      if (wrong.length > 0) {
        // A missing resource is reported before other errors, as in REST.
        const missing = await findMissingResource(contextValue, document, operation, variableValues);
        if (missing) return responseOf({ errors: [this.render(missing)] });
        const others = wrong.slice(1).map(({ error }) => error);
        return responseOf({
          errors: wrong.map(({ error, locations }, i) =>
            this.render(i === 0 ? error.with(others) : error, locations ? { locations } : {}),
          ),
        });
      }
      if (!contextValue.stream) return null;
      const results = await subscribe({ schema, document, contextValue, variableValues, operationName });
      if ('errors' in results)
        return responseOf({ errors: results.errors?.map(error => this.format(error.toJSON(), error)) });
      contextValue.stream.results = results as LiveResults;
      return responseOf({ data: null });
    },

    willSendResponse: async ({ response, contextValue }) => {
      const { cost = NO_COST, answerSize, entry } = contextValue;
      // An abandoned response has many errors, which are not sent.
      if (response.body.kind !== 'single' || answerSize?.isExceeded) return;
      const { singleResult } = response.body;
      singleResult.extensions = { cost: { ...cost, ...(entry && { budget: entry.budget() }) } };
      if (!singleResult.errors) return;
      if (singleResult.data === undefined) {
        // No field was executed, so the HTTP status is that of the error, as in REST.
        const [first = {}] = singleResult.errors ?? [];
        response.http.status = this.origins.get(first)?.error.http_code ?? 500;
      }
      for (const error of singleResult.errors ?? []) this.finish(error, contextValue);
    },
  };

  private format({ message, extensions, ...place }: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError {
    const cause = unwrap(thrown);
    const isOfDocument = CLIENT_ERROR_CODES.test(String(extensions?.code)) && !(cause instanceof ApiError);
    return this.render(isOfDocument ? documentError(message) : toApiError(cause), place, cause);
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

const responseOf = (singleResult: FormattedExecutionResult): GraphQLResponse => ({
  http: { headers: new HeaderMap() },
  body: { kind: 'single', singleResult },
});

const unwrap = (thrown: unknown): unknown => (thrown as { originalError?: unknown }).originalError ?? thrown;
