/** The GraphQL door: Apollo Server over the same fields, with the same keys and the same errors. */
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { GraphQLFormattedError } from 'graphql';
import type { Environment } from '../../prisma/generated/enums';
import type { Context } from '../context';
import { ApiError } from '../errors';
import { toApiError } from '../faults';
import type { Log } from '../log';
import { isFinal } from '../request';
import { guard } from '../schema/guard';
import { rootFields } from './fields';
import { MOST_TOKENS, refuseTooMuch } from './limits';
import { schema } from './schema';

export interface Reply {
  status: number;
  body: string;
  final: boolean;
}

/** Answers of Apollo's own that are the client's doing: the document is not valid, or not for this schema. */
const CLIENT_CODES = /^(GRAPHQL_(PARSE|VALIDATION)_FAILED|BAD_(USER_INPUT|REQUEST)|OPERATION_RESOLUTION_FAILURE)$/;

export class GraphqlDoor {
  private readonly apollo: ApolloServer<Context>;
  /** What lies behind an error 1000, until the request is known under which it is logged. */
  private readonly faults = new WeakMap<object, unknown>();

  constructor(
    environment: Environment,
    private readonly log: Log,
  ) {
    const sandbox = environment === 'sandbox';
    this.apollo = new ApolloServer<Context>({
      schema,
      introspection: sandbox,
      hideSchemaDetailsFromClientErrors: !sandbox,
      includeStacktraceInErrorResponses: false,
      persistedQueries: false,
      stopOnTerminationSignals: false,
      parseOptions: { maxTokens: MOST_TOKENS },
      plugins: [...unused, beforeAnything, this.afterwards()],
      formatError: (formatted, error) => this.format(formatted, error),
    });
    this.apollo.startInBackgroundHandlingStartupErrorsByLoggingAndFailingAllRequests();
  }

  async answer(context: Context, body: unknown): Promise<Reply> {
    const request = readRequest(body as Record<string, unknown>);
    const { http, body: result } = await this.apollo.executeOperation(request, { contextValue: context });
    if (result.kind !== 'single') throw new Error('an answer in pieces was not asked for');
    const final = (result.singleResult.errors ?? []).every(({ extensions }) => isFinal(extensions?.error_code));
    return { status: http.status ?? 200, body: JSON.stringify(result.singleResult), final };
  }

  close(): Promise<void> {
    return this.apollo.stop();
  }

  private afterwards(): ApolloServerPlugin<Context> {
    const tell = (error: object, request_id: string): void => {
      if (this.faults.has(error)) this.log.error({ err: this.faults.get(error), request_id }, 'unexpected fault');
    };
    return {
      requestDidStart: async () => ({
        async willSendResponse({ response, contextValue: { request_id } }) {
          if (response.body.kind !== 'single') return;
          const { errors, data } = response.body.singleResult;
          for (const error of errors ?? []) {
            tell(error, request_id);
            Object.assign(error.extensions ?? {}, { request_id });
          }
          // Nothing ran: the status tells it, as in REST.
          if (errors && data === undefined) response.http.status = Number(errors[0]?.extensions?.http_code ?? 500);
        },
      }),
    };
  }

  private format(formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError {
    const { message, extensions, ...where } = formatted;
    const clients = CLIENT_CODES.test(String(extensions?.code)) && !(unwrap(thrown) instanceof ApiError);
    const error = clients ? new ApiError('malformed', message) : toApiError(unwrap(thrown));
    const shown = { ...where, message: error.message, extensions: { ...error.extensions } };
    if (error.kind === 'internal') this.faults.set(shown, unwrap(thrown));
    return shown;
  }
}

function readRequest({ query, variables, operationName }: Record<string, unknown>) {
  const isObject = (value: unknown): boolean => typeof value === 'object' && !Array.isArray(value);
  if (typeof query !== 'string') throw new ApiError('malformed', 'query is required and must be a text');
  if (variables !== undefined && !isObject(variables)) throw new ApiError('malformed', 'variables is not an object');
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw new ApiError('malformed', 'operationName is not a text');
  }
  return { query, variables: (variables ?? {}) as Record<string, unknown>, operationName: operationName || undefined };
}

/** What Apollo brings along and nobody here asks for; each would look at every field of every answer. */
const unused = [
  ApolloServerPluginCacheControlDisabled(),
  ApolloServerPluginInlineTraceDisabled(),
  ApolloServerPluginLandingPageDisabled(),
  ApolloServerPluginUsageReportingDisabled(),
];

const unwrap = (thrown: unknown): unknown => (thrown as { originalError?: unknown }).originalError ?? thrown;

const beforeAnything: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      /** The guard comes before the variables are read, as it comes before the body in REST. */
      async didResolveOperation({ document, operation, request, contextValue }) {
        const root = operation && schema.getRootType(operation.operation);
        if (!root) throw new ApiError('malformed', `There is no ${operation?.operation ?? 'operation'} here`);
        const fields = root.getFields();
        for (const { name } of rootFields(document, operation)) {
          const field = fields[name.value];
          if (field) guard(contextValue.key, field);
        }
        refuseTooMuch(schema, document, operation, request.variables ?? {});
      },
    };
  },
};
