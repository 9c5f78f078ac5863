/** The HTTP server of one environment: both doors, and in our words the answers that a framework likes to give by itself. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { ApiError } from '../platform/errors';
import { toApiError } from '../platform/toApiError';
import { Announcer } from '../webhooks/delivery/announcer';
import { closeGracefully } from './gracefulShutdown';
import { addGraphql } from './graphql/route';
import { addGraphqlStream } from './graphql/stream';
import { registerAllMethods, rejectOtherMethods } from './methodNotAllowed';
import { addNotifications } from './notifications/route';
import { addPages } from './pages/routes';
import { addTokenizeDemo } from './pages/tokenizeDemo';
import { checkReadiness } from './readiness';
import type { ServerDependencies } from './request';
import { addRest, CORS_HEADERS } from './rest/router';
import { allowsBrowsers } from './rest/routes';

const MAX_BODY_BYTES = 256 * 1024;
const MAX_HEADER_BYTES = 32 * 1024;

/** Closing it finishes the requests in flight and drops idle connections. */
export function createServer(parts: ServerDependencies): FastifyInstance {
  const { db, temporal, log, patienceMs = 30_000, trustedProxies = [] } = parts;
  const server = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    genReqId: () => randomUUID(),
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    requestTimeout: patienceMs,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false,
      headersTimeout: patienceMs,
      connectionsCheckingInterval: patienceMs / 4,
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2000 },
    clientErrorHandler(error, socket) {
      rejectRawConnection(error, socket);
    },
    frameworkErrors: (error, request, reply) => sendError(request, reply as FastifyReply, toApiError(error)),
  });
  // Whatever the content type says, the body is bytes, and JSON once somebody wants it.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes));

  // Every header counts; their length is limited together.
  server.server.maxHeadersCount = 0;
  // An expectation that nobody knows is no reason to refuse.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  server.decorateRequest('merchant_id', '');
  server.decorateRequest('isReading', false);
  registerAllMethods(server);
  // Node hands the bare socket over for it, and closes it without a word where nobody listens.
  server.server.on('connect', (_, socket) => rejectRawConnection(new ApiError('not_found'), socket as Socket));
  closeGracefully(server);
  server.addHook('onRequest', async (request, reply) => {
    reply.header('request-id', request.id);
    // Whatever it says, it is not looked at: one that is none would be refused, and the others cost time to read.
    delete request.raw.headers['content-type'];
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw new ApiError('malformed', 'The Host header is missing');
  });
  const announcer = new Announcer(db);
  server.addHook('onClose', () => announcer.close());
  server.addHook('onResponse', async ({ id, merchant_id, method, isReading, routeOptions }, reply) => {
    if (method !== 'GET' && !isReading) announcer.announce();
    const route = `${method} ${routeOptions.url ?? '(unknown)'}`;
    log.info({
      request_id: id,
      merchant: merchant_id || undefined,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    });
  });
  server.setNotFoundHandler(() => {
    throw new ApiError('not_found');
  });
  server.setErrorHandler((thrown, request, reply) => {
    const error = toApiError(thrown);
    if (error.kind === 'internal') log.error({ err: thrown, request_id: request.id }, 'unexpected fault');
    return sendError(request, reply, error);
  });

  server.get('/health', { logLevel: 'silent' }, async () => ({ status: 'up' }));
  server.get('/ready', async (_, reply) => {
    const state = await checkReadiness(db, temporal);
    return reply.status(Object.values(state).every(part => part === 'up') ? 200 : 503).send(state);
  });
  for (const url of ['/health', '/ready']) rejectOtherMethods(server, url, ['GET']);
  addRest(server, parts);
  addGraphql(server, parts);
  addGraphqlStream(server, parts);
  addNotifications(server, parts);
  addPages(server, parts);
  if (parts.environment === 'sandbox') addTokenizeDemo(server);
  return server;
}

function sendError(request: FastifyRequest, reply: FastifyReply, error: ApiError) {
  reply.header('request-id', request.id).code(error.http_code).type('application/json; charset=utf-8');
  // A browser that may ask may also read why not.
  const below = /^\/v1\/[^/?]+(\/[^?]*)/.exec(request.url)?.[1] ?? '';
  if (allowsBrowsers(below)) reply.headers(CORS_HEADERS);
  const isGraphql = /^\/graphql\b/.test(request.url);
  return reply.send(JSON.stringify(isGraphql ? error.graphqlBody(request.id) : error.body(request.id)));
}

/** A request that never became one: bad HTTP, too long a head, too slow. Only the socket is left to answer on. */
function rejectRawConnection(thrown: Error, socket: Socket): void {
  const { code = '' } = thrown as NodeJS.ErrnoException;
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const request_id = randomUUID();
  const expected = toApiError(thrown);
  const error = expected.kind === 'internal' ? new ApiError('malformed', 'This is not HTTP') : expected;
  const body = JSON.stringify(error.body(request_id));
  const head = [
    `HTTP/1.1 ${error.http_code} ${STATUS_CODES[error.http_code]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Request-Id: ${request_id}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
