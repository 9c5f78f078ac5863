/** The GraphQL door: Apollo Server over the same fields, with the same keys and the same errors. */
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
import { schema } from '../operations';
import { isFinalError } from '../request';
import { requireResources } from '../resources';
import { MAX_TOKENS, rejectCostly } from './limits';
import { rootFields } from './rootFields';

export interface GraphqlReply {
  status: number;
  body: string;
  final: boolean;
}

/** Answers of Apollo's own that are the client's doing: the document is not valid, or not for this schema. */
const CLIENT_CODES = /^(GRAPHQL_(PARSE|VALIDATION)_FAILED|BAD_(USER_INPUT|REQUEST)|OPERATION_RESOLUTION_FAILURE)$/;

export class GraphqlServer {
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
      parseOptions: { maxTokens: MAX_TOKENS },
      plugins: [...disabledPlugins, { requestDidStart: async () => this.requestHooks }],
      formatError: (formatted, error) => this.format(formatted, error),
    });
    this.apollo.startInBackgroundHandlingStartupErrorsByLoggingAndFailingAllRequests();
  }

  async answer(context: Context, body: unknown): Promise<GraphqlReply> {
    const request = readRequest(body as Record<string, unknown>);
    const { http, body: result } = await this.apollo.executeOperation(request, { contextValue: context });
    if (result.kind !== 'single') throw new Error('an answer in pieces was not asked for');
    const final = (result.singleResult.errors ?? []).every(({ extensions }) => isFinalError(extensions?.error_code));
    return { status: http.status ?? 200, body: JSON.stringify(result.singleResult), final };
  }

  close(): Promise<void> {
    return this.apollo.stop();
  }

  /** The same for every request. */
  private readonly requestHooks: GraphQLRequestListener<Context> = {
    /** The guard comes before the variables are read, as it comes before the body in REST. */
    async didResolveOperation({ document, operation, request, contextValue }) {
      const root = operation && schema.getRootType(operation.operation);
      if (operation?.operation === 'subscription')
        throw new ApiError('malformed', 'Subscriptions are answered at /graphql/stream');
      if (!root) throw new ApiError('malformed', `There is no ${operation?.operation ?? 'operation'} here`);
      const fields = root.getFields();
      for (const { name } of rootFields(document, operation)) {
        const field = fields[name.value];
        if (field) guard(contextValue, field);
      }
      rejectCostly(schema, document, operation, request.variables ?? {});
    },

    willSendResponse: async ({ response, contextValue, document, operation, request: { variables = {} } }) => {
      if (response.body.kind !== 'single' || !response.body.singleResult.errors) return;
      const { singleResult } = response.body;
      if (singleResult.data === undefined) {
        // Variables are read before any field runs, and still what is missing is told of first.
        const missing = document && operation && (await findMissing(contextValue, document, operation, variables));
        if (missing) singleResult.errors = [{ message: missing.message, extensions: { ...missing.extensions } }];
        // Nothing ran: the status tells it, as in REST.
        response.http.status = Number(singleResult.errors?.[0]?.extensions?.http_code ?? 500);
      }
      const { request_id } = contextValue;
      for (const error of singleResult.errors ?? []) {
        if (this.faults.has(error)) this.log.error({ err: this.faults.get(error), request_id }, 'unexpected fault');
        Object.assign(error.extensions ?? {}, { request_id });
      }
    },
  };

  private format(formatted: GraphQLFormattedError, thrown: unknown): GraphQLFormattedError {
    const { message, extensions, ...where } = formatted;
    const cause = unwrap(thrown);
    // GraphQL's own words tell where the value stands.
    const isOurs = cause instanceof ApiError && cause.message === message;
    const error =
      !isOurs && CLIENT_CODES.test(String(extensions?.code)) ? redactValue(message, cause) : toApiError(cause);
    const shown = { ...where, message: error.message, extensions: { ...error.extensions } };
    if (error.kind === 'internal') this.faults.set(shown, cause);
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
const disabledPlugins = [
  ApolloServerPluginCacheControlDisabled(),
  ApolloServerPluginInlineTraceDisabled(),
  ApolloServerPluginLandingPageDisabled(),
  ApolloServerPluginUsageReportingDisabled(),
];

/** GraphQL quotes the value that it refuses, and what was refused may be a card's number: it is told where, not what. */
function redactValue(message: string, cause: unknown): ApiError {
  const [, name, path = name] = REFUSED_VARIABLE.exec(message) ?? [];
  const kind = cause instanceof ApiError ? cause.kind : NOT_IN_ENUM.test(message) ? 'invalid_value' : 'malformed';
  if (path === undefined)
    return new ApiError(kind, message.replace(QUOTED_VALUE, '').replace(/\d(?:[\s-]?\d){2,}/g, '…'));
  const missing = /Field "(\w+)" of required type/.exec(message)?.[1];
  if (missing) return new ApiError(kind, `${path}.${missing} is required`);
  return new ApiError(kind, `${path} ${cause instanceof ApiError ? cause.message : 'has the wrong format'}`);
}

const REFUSED_VARIABLE = /^Variable "\$(\w+)" got invalid value (?:[\s\S]* at "([\w.[\]]+)")?/;
const QUOTED_VALUE = /(?<=represent [^:]*|Expected value of type "[^"]*")(?:: |, found )[\s\S]*$/;

const unwrap = (thrown: unknown): unknown => (thrown as { originalError?: unknown }).originalError ?? thrown;

/** The first of the resources named by the arguments of the root fields that is not there. */
async function findMissing(
  context: Context,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): Promise<ApiError | undefined> {
  const given = ({ value }: ArgumentNode): unknown =>
    value.kind === Kind.VARIABLE ? variables[value.name.value] : 'value' in value ? value.value : undefined;
  try {
    for (const { arguments: list = [] } of rootFields(document, operation)) {
      await requireResources(context, Object.fromEntries(list.map(argument => [argument.name.value, given(argument)])));
    }
  } catch (error) {
    return toApiError(error);
  }
}
