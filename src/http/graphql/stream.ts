/** `POST /graphql/stream`: GraphQL subscriptions as server-sent events, in the protocol of graphql-sse clients. */
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context';
import type { ApiError } from '../../platform/errors';
import { toApiError } from '../../platform/toApiError';
import { authenticate } from '../authentication';
import { rejectOtherMethods } from '../methodNotAllowed';
import { authenticateRequest, createContext, JSON_TYPE, type ServerDependencies } from '../request';
import { OpenStreams } from './openStreams';
import { readInput } from './readRequest';
import { guardRootFields } from './rootFields';
import type { GraphqlServer, LiveResults } from './server';

const HEARTBEAT_INTERVAL_MS = 10_000;

export function addGraphqlStream(
  server: FastifyInstance,
  dependencies: ServerDependencies,
  graphqlServer: GraphqlServer,
): void {
  const { apiKeyCache, environment } = dependencies;
  const openStreams = new OpenStreams(credentials => {
    const [address = '', ...authorization] = credentials.split(' ');
    return authenticate(apiKeyCache, environment, authorization.join(' '), address);
  });
  server.addHook('preClose', async () => openStreams.endAll());
  server.post('/graphql/stream', async (request, reply) => {
    const holder = await authenticateRequest(dependencies, request);
    const leave = await dependencies.admission.openStream(holder);
    try {
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
      const { authorization = '' } = request.headers;
      const stream = new EventStream(reply.raw, results, context, graphqlServer);
      const credentials = `${request.ip} ${authorization}`;
      openStreams.add(credentials, stream.end);
      await stream.write().finally(() => openStreams.remove(credentials, stream.end));
    } finally {
      leave();
    }
  });
  rejectOtherMethods(server, '/graphql/stream', ['POST']);
}

/** The results of one subscription on their way to one client. */
class EventStream {
  private reason: ApiError | undefined;
  private readonly ended = new AbortController();

  constructor(
    private readonly response: ServerResponse,
    private readonly results: LiveResults,
    private readonly context: Context,
    private readonly graphqlServer: GraphqlServer,
  ) {}

  /** May be called at any time and more than once. */
  readonly end = (reason?: ApiError): void => {
    this.reason ??= reason;
    this.ended.abort();
    void this.results.return(undefined);
  };

  async write(): Promise<void> {
    const { response, ended, results } = this;
    const leave = (): void => this.end();
    response.once('close', leave);
    // The client has already disconnected, so there will be no close event.
    if (response.destroyed) this.end();
    else this.begin();
    // Proxies close connections that are idle for long.
    const heartbeat = setInterval(() => response.writableNeedDrain || response.write(':\n\n'), HEARTBEAT_INTERVAL_MS);
    try {
      for await (const result of results) {
        if (ended.signal.aborted) break;
        // What a slow client has not taken yet is all that is kept for it: the next result is not asked for before.
        if (!this.send('next', this.graphqlServer.formatResult(result, this.context))) await this.drained();
      }
    } catch (error) {
      this.reason ??= toApiError(error);
    } finally {
      clearInterval(heartbeat);
      response.off('close', leave);
      this.finish();
    }
  }

  private begin(): void {
    this.response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'request-id': this.context.request_id,
      'x-accel-buffering': 'no',
      // A closing server would otherwise wait for further requests on this connection.
      connection: 'close',
    });
    this.response.write(':\n\n');
  }

  private send(event: string, data?: object): boolean {
    return this.response.write(`event: ${event}\ndata: ${data ? JSON.stringify(data) : ''}\n\n`);
  }

  /** Until the client has taken what was written, or is gone, or the stream is ended. */
  private drained(): Promise<void> {
    const { response, ended } = this;
    return new Promise(resolve => {
      const proceed = (): void => {
        response.off('drain', proceed);
        ended.signal.removeEventListener('abort', proceed);
        resolve();
      };
      if (ended.signal.aborted) return resolve();
      response.on('drain', proceed);
      ended.signal.addEventListener('abort', proceed);
    });
  }

  private finish(): void {
    // A client that does not read would keep the connection open.
    if (this.response.destroyed || this.response.writableNeedDrain) return void this.response.destroy();
    if (this.reason) this.send('next', this.reason.graphqlBody(this.context.request_id));
    this.send('complete');
    this.response.end();
  }
}
