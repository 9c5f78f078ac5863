/** Apollo Server over the same operations as REST, with the same API keys and the same errors. */
import { ApolloServer, type GraphQLRequestListener, type GraphQLResponse, HeaderMap } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import {
  type ArgumentNode,
  type DocumentNode,
  type FormattedExecutionResult,
  type GraphQLFormattedError,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type { Environment } from '../../../prisma/generated/enums';
import type { Context } from '../../context';
import { ApiError } from '../../platform/errors';
import type { Log } from '../../platform/log';
import { toApiError } from '../../platform/toApiError';
import { apiSchema } from '../apiSchema';
import { requireResources } from '../resources';
import { documentError, variableErrors } from './errors';
import { MAX_TOKENS, rejectCostly } from './limits';
import { readRequest } from './readRequest';
import { guardRootFields, rootFields } from './rootFields';

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
  /** The error behind each formatted one, with the cause to log once its request_id is known. */
  private readonly origins = new WeakMap<object, { error: ApiError; cause: unknown }>();

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
    const final = (result.singleResult.errors ?? []).every(error => this.origins.get(error)?.error.final);
    return { status: http.status ?? 200, body: JSON.stringify(result.singleResult), final };
  }

  close(): Promise<void> {
    return this.apollo.stop();
  }

  private readonly requestHooks: GraphQLRequestListener<Context> = {
    /** Permissions are checked before the variables are read, as REST checks them before the body. */
    async didResolveOperation({ document, operation, request, contextValue }) {
      if (!operation) throw new ApiError('malformed', 'There is no operation here');
      if (operation.operation === 'subscription')
        throw new ApiError('malformed', 'Subscriptions are answered at /graphql/stream');
      guardRootFields(
        contextValue,
        operation.operation,
        rootFields(document, operation).map(({ name }) => name.value),
      );
      rejectCostly(apiSchema, document, operation, request.variables ?? {});
    },

    responseForOperation: async ({ operation, request: { variables = {} } }) => {
      const errors = variableErrors(operation, variables);
      return errors.length === 0
        ? null
        : responseOf({ errors: errors.map(({ error, locations }) => this.render(error, { locations })) });
    },

    willSendResponse: async ({ response, contextValue, document, operation, request: { variables = {} } }) => {
      if (response.body.kind !== 'single' || !response.body.singleResult.errors) return;
      const { singleResult } = response.body;
      if (singleResult.data === undefined) {
        // GraphQL reads the variables before any field runs, but a missing resource is reported first.
        const missing =
          document && operation && (await findMissingResource(contextValue, document, operation, variables));
        if (missing) singleResult.errors = [this.render(missing)];
        // No field ran, so the HTTP status is that of the error, as in REST.
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

  private finish(formatted: GraphQLFormattedError, { request_id }: Context): void {
    const { error, cause } = this.origins.get(formatted) ?? {};
    if (error?.kind === 'internal') this.log.error({ err: cause, request_id }, 'unexpected fault');
    Object.assign(formatted.extensions ?? {}, { request_id });
  }
}

type ErrorPlace = Pick<GraphQLFormattedError, 'locations' | 'path'>;

const responseOf = (singleResult: FormattedExecutionResult): GraphQLResponse => ({
  http: { headers: new HeaderMap() },
  body: { kind: 'single', singleResult },
});

/** Apollo's default plugins that are not needed here; each would visit every field of every response. */
const disabledPlugins = [
  ApolloServerPluginCacheControlDisabled(),
  ApolloServerPluginInlineTraceDisabled(),
  ApolloServerPluginLandingPageDisabled(),
  ApolloServerPluginUsageReportingDisabled(),
];

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
