/** `POST /graphql/stream`: GraphQL subscriptions as server-sent events, in the protocol of graphql-sse clients. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Context } from '../../context';
import { toApiError } from '../../platform/toApiError';
import { rejectOtherMethods } from '../methodNotAllowed';
import { authenticateRequest, createContext, JSON_TYPE, type ServerDependencies } from '../request';
import { readInput } from './readRequest';
import { guardRootFields } from './rootFields';
import type { GraphqlServer, LiveResults } from './server';

const HEARTBEAT_INTERVAL_MS = 10_000;

export function addGraphqlStream(
  server: FastifyInstance,
  dependencies: ServerDependencies,
  graphqlServer: GraphqlServer,
): void {
  const streamClosers = new Set<() => void>();
  server.addHook('preClose', async () => {
    for (const close of streamClosers) close();
  });
  server.post('/graphql/stream', async (request, reply) => {
    const holder = await authenticateRequest(dependencies, request);
    const context = createContext(dependencies, request, holder);
    const input = readInput(request.body);
    guardRootFields(context, input);
    const results = await graphqlServer.subscribe(context, input);
    if ('status' in results)
      return reply
        .code(results.status)
        .headers({ ...JSON_TYPE, ...results.headers })
        .send(results.body);
    reply.hijack();
    const { raw } = reply;
    const close = (): void => void results.return?.(undefined);
    streamClosers.add(close);
    raw.once('close', close);
    // The client has already disconnected, so there will be no close event.
    if (raw.destroyed) close();
    await writeEvents(reply, results, context, graphqlServer).finally(() => streamClosers.delete(close));
  });
  rejectOtherMethods(server, '/graphql/stream', ['POST']);
}

async function writeEvents(
  reply: FastifyReply,
  results: LiveResults,
  context: Context,
  graphqlServer: GraphqlServer,
): Promise<void> {
  const { request_id } = context;
  const { raw } = reply;
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'request-id': request_id,
    'x-accel-buffering': 'no',
    // A closing server would otherwise wait for further requests on this connection.
    connection: 'close',
  });
  raw.write(':\n\n');
  // Proxies close connections that are idle for long.
  const heartbeat = setInterval(() => raw.write(':\n\n'), HEARTBEAT_INTERVAL_MS);
  const writeEvent = (event: string, data: string): boolean => raw.write(`event: ${event}\ndata: ${data}\n\n`);
  try {
    for await (const result of results)
      if (!writeEvent('next', JSON.stringify(graphqlServer.formatResult(result, context))))
        await new Promise(resolve => raw.once('drain', resolve).once('close', resolve));
  } catch (error) {
    writeEvent('next', JSON.stringify(toApiError(error).graphqlBody(request_id)));
  } finally {
    clearInterval(heartbeat);
    writeEvent('complete', '');
    raw.end();
  }
}
