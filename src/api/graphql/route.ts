import type { FastifyInstance } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { ApiError } from '../../platform/errors';
import type { Audience } from '../../schema/operation/guard';
import { rejectOtherMethods } from '../methodNotAllowed';
import { handleRequest, JSON_TYPE, type ServerDependencies } from '../request';
import { allowSessionOrigins } from '../sessions/cors';
import { isDocumentError } from './errors';
import { addGraphqlStream } from './live/route';
import { merchantSchema, operatorSchema } from './publishedSchemas';
import { cannotWrite, type GraphqlInput, readInput } from './readRequest';
import { guardRootFields, mutationFields, operationName } from './rootFields';
import { GraphqlServer } from './server';

/** Adds `GET /graphql`; `allow` lists the other methods. */
type AddExplorer = (server: FastifyInstance, allow: string) => void;

/** Without `addExplorer`, `GET /graphql` is not allowed. */
export function addGraphql(server: FastifyInstance, dependencies: ServerDependencies, addExplorer?: AddExplorer): void {
  const graphqlServer = startServer(server, dependencies, merchantSchema);
  server.register(async scope => {
    allowSessionOrigins(scope, dependencies, { '/graphql': ['POST'], '/graphql/stream': ['POST'] });
    addGraphqlRequests(scope, dependencies, { path: '/graphql', audience: 'merchants', graphqlServer });
    addGraphqlStream(scope, dependencies, graphqlServer);
    const methods = ['POST', 'OPTIONS'] as const;
    addExplorer?.(scope, methods.join(', '));
    rejectOtherMethods(scope, '/graphql', addExplorer ? [...methods, 'GET'] : methods);
  });
}

/** Browsers call it only from the operator page, so it has no CORS. */
export function addOperatorGraphql(server: FastifyInstance, dependencies: ServerDependencies): void {
  const graphqlServer = startServer(server, dependencies, operatorSchema);
  const path = '/operator/graphql';
  addGraphqlRequests(server, dependencies, { path, audience: 'operators', graphqlServer });
  rejectOtherMethods(server, path, ['POST']);
}

function startServer(server: FastifyInstance, { environment, log }: ServerDependencies, schema: GraphQLSchema) {
  const graphqlServer = new GraphqlServer(schema, environment, log);
  server.addHook('onClose', () => graphqlServer.close());
  return graphqlServer;
}

interface GraphqlApi {
  path: string;
  audience: Audience;
  graphqlServer: GraphqlServer;
}

function addGraphqlRequests(
  server: FastifyInstance,
  dependencies: ServerDependencies,
  { path, audience, graphqlServer }: GraphqlApi,
): void {
  const { schema } = graphqlServer;
  server.post(path, (request, reply) => {
    const renderError = (error: ApiError) => ({
      status: error.http_code,
      headers: JSON_TYPE,
      body: JSON.stringify(error.graphqlBody(request.id)),
    });
    // Parsed after the request is admitted.
    let parsed: GraphqlInput | undefined;
    const input = (): GraphqlInput => (parsed ??= readInput(request.body));
    const mutations = (): string[] => (request.headers['idempotency-key'] === undefined ? [] : mutationFields(input()));
    request.isReadOnly = cannotWrite(request.body);
    return handleRequest(dependencies, request, reply, {
      path: () => path,
      takesIdempotencyKey: () => mutations().length === 1,
      size: { requestClass: request.isReadOnly ? 'read' : 'write', weight: 1 },
      guard: context => {
        request.operation = operationName(schema, input());
        // Runs before the Idempotency-Key, which may have a stored response to the private key.
        guardRootFields({ schema, audience }, context, input());
        // Otherwise the key would be ignored without the client noticing.
        if (mutations().length > 1) throw new ApiError('malformed', 'idempotency_key_mutations');
      },
      renderError,
      perform: async (context, entry) => {
        const { errors, ...response } = await graphqlServer.execute({ ...context, entry }, input());
        request.errorStatus = Math.max(0, ...errors.map(error => error?.http_code ?? 500));
        // Every response with status 400 counts; an unknown value has another status.
        if (response.status !== 400 && errors.some(isDocumentError)) entry.countMistake();
        return { ...response, headers: { ...JSON_TYPE, ...response.headers } };
      },
    });
  });
}
