/** Apollo Server over the same operations as REST, with the same API keys and the same errors. */
import { ApolloServer, type GraphQLRequestListener } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import {
  type ArgumentNode,
  type DocumentNode,
  type GraphQLFormattedError,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type { Environment } from '../../../prisma/generated/enums';
import type { Context } from '../../context';
import { ApiError } from '../../platform/errors';
import type { Log } from '../../platform/log';
import { toApiError } from '../../platform/toApiError';
import { guard } from '../../schema/guard';
import { NOT_IN_ENUM } from '../../schema/shapes';
import { apiSchema } from '../apiSchema';
import { isFinalError } from '../request';
import { requireResources } from '../resources';
import { MAX_TOKENS, rejectCostly } from './limits';
import { rootFields } from './rootFields';

export interface GraphqlResponse {
  status: number;
  body: string;
  final: boolean;
}

/** Apollo's own codes for client errors: the document is invalid, or does not match the schema. */
const CLIENT_ERROR_CODES =
  /^(GRAPHQL_(PARSE|VALIDATION)_FAILED|BAD_(USER_INPUT|REQUEST)|OPERATION_RESOLUTION_FAILURE)$/;

export class GraphqlServer {
  private readonly apollo: ApolloServer<Context>;
  /** The causes of errors 1000, kept until they can be logged with their request_id. */
  private readonly unexpectedCauses = new WeakMap<object, unknown>();

  constructor(
    environment: Environment,
    private readonly log: Log,
  ) {
    const isSandbox = environment === 'sandbox';
    this.apollo = new ApolloServer<Context>({
      schema: apiSchema,
      introspection: isSandbox,
      hideSchemaDetailsFromClientErrors: !isSandbox,
      includeStacktraceInErrorResponses: false,
      persistedQueries: false,
      stopOnTerminationSignals: false,
      parseOptions: { maxTokens: MAX_TOKENS },
      plugins: [...disabledPlugins, { requestDidStart: async () => this.requestHooks }],
      formatError: (graphqlError, thrown) => this.format(graphqlError, thrown),
    });
    this.apollo.startInBackgroundHandlingStartupErrorsByLoggingAndFailingAllRequests();
  }

  async execute(context: Context, body: unknown): Promise<GraphqlResponse> {
    const request = readRequest(body as Record<string, unknown>);
    const { http, body: result } = await this.apollo.executeOperation(request, { contextValue: context });
    if (result.kind !== 'single') throw new Error('an answer in pieces was not asked for');
    const final = (result.singleResult.errors ?? []).every(({ extensions }) => isFinalError(extensions?.error_code));
    return { status: http.status ?? 200, body: JSON.stringify(result.singleResult), final };
  }

  close(): Promise<void> {
    return this.apollo.stop();
  }

  private readonly requestHooks: GraphQLRequestListener<Context> = {
    /** Permissions are checked before the variables are read, as REST checks them before the body. */
    async didResolveOperation({ document, operation, request, contextValue }) {
      const root = operation && apiSchema.getRootType(operation.operation);
      if (operation?.operation === 'subscription')
        throw new ApiError('malformed', 'Subscriptions are answered at /graphql/stream');
      if (!root) throw new ApiError('malformed', `There is no ${operation?.operation ?? 'operation'} here`);
      const fields = root.getFields();
      for (const { name } of rootFields(document, operation)) {
        const field = fields[name.value];
        if (field) guard(contextValue, field);
      }
      rejectCostly(apiSchema, document, operation, request.variables ?? {});
    },

    willSendResponse: async ({ response, contextValue, document, operation, request: { variables = {} } }) => {
      if (response.body.kind !== 'single' || !response.body.singleResult.errors) return;
      const { singleResult } = response.body;
      if (singleResult.data === undefined) {
        // GraphQL reads the variables before any field runs, but a missing resource is reported first.
        const missing =
          document && operation && (await findMissingResource(contextValue, document, operation, variables));
        if (missing) singleResult.errors = [{ message: missing.message, extensions: { ...missing.extensions } }];
        // No field ran, so the HTTP status is that of the error, as in REST.
        response.http.status = Number(singleResult.errors?.[0]?.extensions?.http_code ?? 500);
      }
      const { request_id } = contextValue;
      for (const error of singleResult.errors ?? []) {
        if (this.unexpectedCauses.has(error))
          this.log.error({ err: this.unexpectedCauses.get(error), request_id }, 'unexpected fault');
        Object.assign(error.extensions ?? {}, { request_id });
      }
    },
  };

  private format(graphqlError: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError {
    const { message, extensions, ...location } = graphqlError;
    const cause = unwrap(thrown);
    // If GraphQL wrapped our error, its message also says which value is wrong.
    const isOurs = cause instanceof ApiError && cause.message === message;
    const error =
      !isOurs && CLIENT_ERROR_CODES.test(String(extensions?.code)) ? redactValue(message, cause) : toApiError(cause);
    const formattedError = { ...location, message: error.message, extensions: { ...error.extensions } };
    if (error.kind === 'internal') this.unexpectedCauses.set(formattedError, cause);
    return formattedError;
  }
}

function readRequest({ query, variables, operationName }: Record<string, unknown>) {
  const isObject = (value: unknown): boolean => typeof value === 'object' && !Array.isArray(value);
  if (typeof query !== 'string') throw new ApiError('malformed', 'query is required and must be a text');
  if (variables !== undefined && !isObject(variables)) throw new ApiError('malformed', 'variables is not an object');
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw new ApiError('malformed', 'operationName is not a text');
  }
  return {
    query,
    variables: (variables ?? {}) as Record<string, unknown>,
    ...(operationName ? { operationName } : {}),
  };
}

/** Apollo's default plugins that are not needed here; each would visit every field of every response. */
const disabledPlugins = [
  ApolloServerPluginCacheControlDisabled(),
  ApolloServerPluginInlineTraceDisabled(),
  ApolloServerPluginLandingPageDisabled(),
  ApolloServerPluginUsageReportingDisabled(),
];

/**
 * GraphQL quotes the rejected value in its message, and that may be a card number: our message says where it is, not
 * what it was.
 */
function redactValue(message: string, cause: unknown): ApiError {
  const [, name, path = name] = REJECTED_VARIABLE.exec(message) ?? [];
  const kind = cause instanceof ApiError ? cause.kind : NOT_IN_ENUM.test(message) ? 'invalid_value' : 'malformed';
  if (path === undefined)
    return new ApiError(kind, message.replace(QUOTED_VALUE, '').replace(/\d(?:[\s-]?\d){2,}/g, '…'));
  const missingField = /Field "(\w+)" of required type/.exec(message)?.[1];
  if (missingField) return new ApiError(kind, `${path}.${missingField} is required`);
  return new ApiError(kind, `${path} ${cause instanceof ApiError ? cause.message : 'has the wrong format'}`);
}

const REJECTED_VARIABLE = /^Variable "\$(\w+)" got invalid value (?:[\s\S]* at "([\w.[\]]+)")?/;
const QUOTED_VALUE = /(?<=represent [^:]*|Expected value of type "[^"]*")(?:: |, found )[\s\S]*$/;

const unwrap = (thrown: unknown): unknown => (thrown as { originalError?: unknown }).originalError ?? thrown;

/** The error of the first missing resource among those that the arguments of the root fields name. */
async function findMissingResource(
  context: Context,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): Promise<ApiError | undefined> {
  const readArgument = ({ value }: ArgumentNode): unknown =>
    value.kind === Kind.VARIABLE ? variables[value.name.value] : 'value' in value ? value.value : undefined;
  try {
    for (const { arguments: args = [] } of rootFields(document, operation)) {
      const values = args.map(argument => [argument.name.value, readArgument(argument)]);
      await requireResources(context, Object.fromEntries(values));
    }
    return undefined;
  } catch (error) {
    return toApiError(error);
  }
}
