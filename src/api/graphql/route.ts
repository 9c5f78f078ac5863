import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../platform/errors';
import { rejectOtherMethods } from '../methodNotAllowed';
import { publishedSchema } from '../publishedSchema';
import { handleRequest, JSON_TYPE, type ServerDependencies } from '../request';
import { allowSessionOrigins } from '../sessions/cors';
import { isDocumentError } from './errors';
import { addGraphqlStream } from './live/route';
import { cannotWrite, type GraphqlInput, readInput } from './readRequest';
import { guardRootFields, mutationFields, operationName } from './rootFields';
import { GraphqlServer } from './server';

/** Adds `GET /graphql`; `allow` lists the other methods. */
type AddExplorer = (server: FastifyInstance, allow: string) => void;

/** Without `addExplorer`, `GET /graphql` is not allowed. */
export function addGraphql(server: FastifyInstance, dependencies: ServerDependencies, addExplorer?: AddExplorer): void {
  const graphqlServer = new GraphqlServer(publishedSchema, dependencies.environment, dependencies.log);
  server.addHook('onClose', () => graphqlServer.close());
  server.register(async scope => {
    allowSessionOrigins(scope, dependencies, { '/graphql': ['POST'], '/graphql/stream': ['POST'] });
    addGraphqlRequests(scope, dependencies, graphqlServer, addExplorer);
    addGraphqlStream(scope, dependencies, graphqlServer);
  });
}

function addGraphqlRequests(
  server: FastifyInstance,
  dependencies: ServerDependencies,
  graphqlServer: GraphqlServer,
  addExplorer: AddExplorer | undefined,
): void {
  server.post('/graphql', (request, reply) => {
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
      path: () => '/graphql',
      takesIdempotencyKey: () => mutations().length === 1,
      size: { requestClass: request.isReadOnly ? 'read' : 'write', weight: 1 },
      guard: context => {
        request.operation = operationName(publishedSchema, input());
        // Runs before the Idempotency-Key, which may have a stored response to the private key.
        guardRootFields(publishedSchema, context, input());
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
  const methods = ['POST', 'OPTIONS'] as const;
  addExplorer?.(server, methods.join(', '));
  rejectOtherMethods(server, '/graphql', addExplorer ? [...methods, 'GET'] : methods);
}
