/**
 * `/graphql/stream`: GraphQL subscriptions as server-sent events, in the protocol of graphql-sse clients. Each `POST` is
 * a connection of its own, or many share one: `PUT` reserves it, `GET` opens it, and the `POST`s that name it are
 * answered over it, each until its `DELETE`.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLField } from 'graphql';
import type { KeyHolder } from '../../../accounts/merchants/apiKeyCache';
import { ApiError } from '../../../platform/errors';
import type { Context } from '../../../schema/operation/context';
import { guard } from '../../../schema/operation/guard';
import { apiSchema } from '../../apiSchema';
import { authenticate, authenticateRequest, credentialsOf } from '../../authentication';
import { rejectOtherMethods } from '../../methodNotAllowed';
import { createContext, JSON_TYPE, type ServerDependencies } from '../../request';
import { corsHeaders, STREAM_TOKEN_HEADER } from '../../sessions/cors';
import { type GraphqlInput, readInput } from '../readRequest';
import { guardRootFields } from '../rootFields';
import type { GraphqlResponse, GraphqlServer, LiveResults } from '../server';
import { EventStream } from './eventStream';
import { OpenStreams } from './openStreams';
import { addOperation, openStream, removeOperation, removeStream, reserveStream } from './reservations';
import { SharedStreams } from './sharedStreams';

export const STREAM_METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
const PATH = '/graphql/stream';
const MAX_OPERATION_ID_CHARACTERS = 100;
/** What there is to subscribe to. */
const LIVE_EVENTS = apiSchema.getSubscriptionType()?.getFields().events as GraphQLField<unknown, Context>;

export function addGraphqlStream(
  server: FastifyInstance,
  dependencies: ServerDependencies,
  graphqlServer: GraphqlServer,
): void {
  const { apiKeyCache, environment, admission, db } = dependencies;
  const openStreams = new OpenStreams(credentials => {
    const [address = '', ...authorization] = credentials.split(' ');
    return authenticate(apiKeyCache, environment, authorization.join(' '), address);
  });
  const sharedStreams = new SharedStreams(db, graphqlServer);
  server.addHook('preClose', async () => openStreams.endAll());
  rejectOtherMethods(server, PATH, [...STREAM_METHODS, 'OPTIONS']);

  server.post(PATH, async (request, reply) => {
    const holder = await authenticateRequest(dependencies, request);
    const leave = await admission.openStream(holder);
    try {
      const context = createContext(dependencies, request, holder);
      const input = readInput(request.body);
      guardRootFields(context, input);
      const token = tokenOf(request);
      const operation = token === undefined ? undefined : readOperationId(input);
      const results = await graphqlServer.subscribe(context, input);
      if ('status' in results) return sendResponse(reply, results);
      if (token === undefined || operation === undefined) return await stream(request, reply, context, results);
      await results.return(undefined);
      const body = Buffer.from(request.body as Uint8Array).toString();
      await addOperation(db, token, holder, { id: operation, request: body });
      return reply.code(202).send();
    } finally {
      leave();
    }
  });

  server.put(PATH, async (request, reply) => {
    const holder = await enter(request);
    const token = await reserveStream(db, holder);
    return reply.code(201).type('text/plain; charset=utf-8').send(token);
  });

  // A HEAD would open it and read nothing.
  server.get(PATH, { exposeHeadRoute: false }, async (request, reply) => {
    const holder = await mayListen(request);
    const token = requireToken(request);
    const leave = await admission.openStream(holder);
    try {
      await openStream(db, token, holder);
      const context = createContext(dependencies, request, holder);
      const events = begin(request, reply);
      await sharedStreams
        .serve(token, { events, context, takePlace: () => admission.openStream(holder) })
        .finally(() => openStreams.remove(credentialsKey(request), events.end));
      await removeStream(db, token).catch(() => undefined);
    } finally {
      leave();
    }
  });

  server.delete(PATH, async (request, reply) => {
    const holder = await enter(request);
    const { operationId } = request.query as Record<string, unknown>;
    if (typeof operationId !== 'string') throw new ApiError('invalid_value', 'is_required', { field: 'operationId' });
    await removeOperation(db, requireToken(request), holder, operationId);
    return reply.code(200).send();
  });

  /** Counts as a request that reads. */
  async function enter(request: FastifyRequest): Promise<KeyHolder> {
    const holder = await mayListen(request);
    (await admission.enter(holder, { requestClass: 'read', weight: 1 })).leave();
    return holder;
  }

  /** A connection is for those who may subscribe to something. */
  async function mayListen(request: FastifyRequest): Promise<KeyHolder> {
    const holder = await authenticateRequest(dependencies, request);
    guard(createContext(dependencies, request, holder), LIVE_EVENTS);
    return holder;
  }

  const credentialsKey = (request: FastifyRequest): string => `${request.ip} ${credentialsOf(dependencies, request)}`;

  /** Ended when the key or session is, or the server. */
  function begin(request: FastifyRequest, reply: FastifyReply): EventStream {
    reply.hijack();
    const events = new EventStream(reply.raw, { ...corsHeaders(request.readableBy), 'request-id': request.id });
    openStreams.add(credentialsKey(request), events.end);
    return events;
  }

  async function stream(request: FastifyRequest, reply: FastifyReply, context: Context, results: LiveResults) {
    const events = begin(request, reply);
    const stop = (): void => void results.return(undefined);
    events.signal.addEventListener('abort', stop);
    const work = async (): Promise<void> => {
      for await (const result of results) {
        if (events.signal.aborted) break;
        // What a slow client has not taken yet is all that is kept for it: the next result is not asked for before.
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

/** In a header or, where a browser cannot send one, in the query. */
function tokenOf({ headers, query }: FastifyRequest): string | undefined {
  const token = headers[STREAM_TOKEN_HEADER] ?? (query as Record<string, unknown>).token;
  return typeof token === 'string' ? token : undefined;
}

function requireToken(request: FastifyRequest): string {
  const token = tokenOf(request);
  if (token === undefined)
    throw new ApiError('invalid_value', 'stream_token_missing', { field: 'token', header: STREAM_TOKEN_HEADER });
  return token;
}

function readOperationId({ body, problem }: GraphqlInput): string {
  if (!body) throw problem;
  const id = (body.extensions as { operationId?: unknown } | undefined)?.operationId;
  if (typeof id === 'string' && id !== '' && id.length <= MAX_OPERATION_ID_CHARACTERS && !id.includes('\0')) return id;
  throw new ApiError('malformed', 'required_text', { field: 'extensions.operationId' });
}
