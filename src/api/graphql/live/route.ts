/** `/graphql/stream`: GraphQL subscriptions as server-sent events, which graphql-sse clients read. Each has its own connection. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../schema/operation/context';
import { authenticate, authenticateRequest, credentialsOf } from '../../authentication';
import { rejectOtherMethods } from '../../methodNotAllowed';
import { createContext, JSON_TYPE, type ServerDependencies } from '../../request';
import { corsHeaders } from '../../sessions/cors';
import { isDocumentError } from '../errors';
import { readInput } from '../readRequest';
import { guardRootFields } from '../rootFields';
import type { GraphqlResponse, GraphqlServer, LiveResults } from '../server';
import { EventStream } from './eventStream';
import { OpenStreams } from './openStreams';

const PATH = '/graphql/stream';

export function addGraphqlStream(
  server: FastifyInstance,
  dependencies: ServerDependencies,
  graphqlServer: GraphqlServer,
): void {
  const { apiKeyCache, environment, admission } = dependencies;
  const openStreams = new OpenStreams(credentials => {
    const [address = '', ...authorization] = credentials.split(' ');
    return authenticate(apiKeyCache, environment, authorization.join(' '), address);
  });
  server.addHook('preClose', async () => openStreams.endAll());
  rejectOtherMethods(server, PATH, ['POST', 'OPTIONS']);

  server.post(PATH, async (request, reply) => {
    const holder = await authenticateRequest(dependencies, request);
    const leave = await admission.openStream(holder);
    try {
      const context = createContext(dependencies, request, holder);
      const input = readInput(request.body);
      guardRootFields({ schema: graphqlServer.schema, audience: 'merchants' }, context, input);
      const results = await graphqlServer.subscribe(context, input);
      if ('status' in results) {
        if (results.errors.some(isDocumentError)) admission.tokens.takeForMistake(holder, 'read');
        return sendResponse(reply, results);
      }
      return await stream(request, reply, context, results);
    } finally {
      leave();
    }
  });

  const credentialsKey = (request: FastifyRequest): string => `${request.ip} ${credentialsOf(dependencies, request)}`;

  /** Ends with the key or session, or with the server. */
  async function stream(request: FastifyRequest, reply: FastifyReply, context: Context, results: LiveResults) {
    reply.hijack();
    const events = new EventStream(reply.raw, { ...corsHeaders(request.readableBy), 'request-id': request.id });
    openStreams.add(credentialsKey(request), events.end);
    const stop = (): void => void results.return(undefined);
    events.signal.addEventListener('abort', stop);
    const work = async (): Promise<void> => {
      for await (const result of results) {
        if (events.signal.aborted) break;
        // Backpressure: the next result is read after a slow client has received the previous one.
        await events.sendAndDrain('next', graphqlServer.formatResult(result, context));
      }
    };
    await events
      .run(work, reason => {
        if (reason) events.send('next', reason.graphqlBody(request.id));
        events.send('complete');
      })
      .finally(() => openStreams.remove(credentialsKey(request), events.end));
  }
}

const sendResponse = (reply: FastifyReply, { status, headers, body }: GraphqlResponse) =>
  reply
    .code(status)
    .headers({ ...JSON_TYPE, ...headers })
    .send(body);
