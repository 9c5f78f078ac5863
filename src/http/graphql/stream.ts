/** `POST /graphql/stream`: GraphQL subscriptions as server-sent events, in the protocol of graphql-sse clients. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type ExecutionResult, getOperationAST, parse, specifiedRules, subscribe, validate } from 'graphql';
import type { Context } from '../../context';
import { ApiError } from '../../platform/errors';
import { toApiError } from '../../platform/toApiError';
import { guard } from '../../schema/guard';
import { apiSchema } from '../apiSchema';
import { parseJson } from '../json';
import { rejectOtherMethods } from '../methodNotAllowed';
import { createContext, type ServerDependencies } from '../request';
import { MAX_TOKENS, rejectCostly } from './limits';
import { rootFields } from './rootFields';

const HEARTBEAT_INTERVAL_MS = 10_000;

export function addGraphqlStream(server: FastifyInstance, dependencies: ServerDependencies): void {
  const streamClosers = new Set<() => void>();
  server.addHook('preClose', async () => {
    for (const close of streamClosers) close();
  });
  server.post('/graphql/stream', async (request, reply) => {
    const context = await createContext(dependencies, request);
    const results = await openSubscription(context, request.body);
    reply.hijack();
    const { raw } = reply;
    const close = (): void => void results.return?.(undefined);
    streamClosers.add(close);
    raw.once('close', close);
    // The client has already disconnected, so there will be no close event.
    if (raw.destroyed) close();
    await writeEvents(reply, results, request.id).finally(() => streamClosers.delete(close));
  });
  rejectOtherMethods(server, '/graphql/stream', ['POST']);
}

async function openSubscription(context: Context, bytes: unknown): Promise<AsyncGenerator<ExecutionResult>> {
  const body = parseJson(bytes instanceof Uint8Array ? bytes : new Uint8Array()) as Record<string, unknown> | null;
  const { query, variables, operationName } = body ?? {};
  if (typeof query !== 'string') throw new ApiError('malformed', 'query is required and must be a text');
  const document = parseDocument(query);
  const operation = getOperationAST(document, typeof operationName === 'string' ? operationName : undefined);
  if (operation?.operation !== 'subscription') throw new ApiError('malformed', 'This is no subscription');
  const [problem] = validate(apiSchema, document, specifiedRules);
  if (problem) throw new ApiError('malformed', problem.message);
  const fields = apiSchema.getSubscriptionType()?.getFields() ?? {};
  for (const { name } of rootFields(document, operation)) {
    const field = fields[name.value];
    if (field) guard(context, field);
  }
  const variableValues = (variables ?? {}) as Record<string, unknown>;
  rejectCostly(apiSchema, document, operation, variableValues);
  const result = await subscribe({ schema: apiSchema, document, contextValue: context, variableValues });
  if ('errors' in result)
    throw result.errors?.[0]?.originalError ?? new ApiError('malformed', result.errors?.[0]?.message);
  return result as AsyncGenerator<ExecutionResult>;
}

function parseDocument(query: string) {
  try {
    return parse(query, { maxTokens: MAX_TOKENS });
  } catch (error) {
    throw new ApiError('malformed', (error as Error).message);
  }
}

async function writeEvents(
  reply: FastifyReply,
  results: AsyncGenerator<ExecutionResult>,
  request_id: string,
): Promise<void> {
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
      if (!writeEvent('next', JSON.stringify(result)))
        await new Promise(resolve => raw.once('drain', resolve).once('close', resolve));
  } catch (error) {
    writeEvent('next', JSON.stringify(toApiError(error).graphqlBody(request_id)));
  } finally {
    clearInterval(heartbeat);
    writeEvent('complete', '');
    raw.end();
  }
}
