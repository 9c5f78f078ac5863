/** The HTTP server of an environment. Errors of Fastify and Node are sent in our format. */
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
import { KeyUses } from '../accounts/merchants/keyUses';
import { readBodies } from '../api/admission/requestBody';
import { countRequests } from '../api/countRequests';
import { enableGracefulShutdown } from '../api/gracefulShutdown';
import { addGraphql, addOperatorGraphql } from '../api/graphql/route';
import { registerAllMethods } from '../api/methodNotAllowed';
import { addMailNotifications } from '../api/notifications/mail';
import { addNotifications } from '../api/notifications/route';
import { addSettlementReports } from '../api/notifications/settlement';
import { addProbes, PROBES } from '../api/readiness';
import { namesOf, type ServerDependencies } from '../api/request';
import { addRest, CORS_HEADERS } from '../api/rest/router';
import { allowsBrowsers } from '../api/rest/routes';
import { addSignIn } from '../api/sessions/signIn';
import { traceRequests } from '../api/traceRequests';
import { Announcer } from '../notifications/webhooks/delivery/announcer';
import { ApiError } from '../platform/errors';
import { toApiError } from '../platform/toApiError';
import { addExplorer } from './explorer/route';
import { addFrontPage } from './front/routes';
import { addScriptPage } from './front/scriptPage';
import type { NeighbourPages } from './front/view';
import { addLivePages } from './live/routes';
import { addOperatorPage } from './operator/route';
import { addReference } from './reference/routes';
import { addPages } from './routes';
import { addTokenizeDemo } from './tokenizeDemo';

const MAX_BODY_BYTES = 256 * 1024;
const MAX_HEADER_BYTES = 32 * 1024;
/** For the headers, and for a body of up to 64 KiB. */
const RECEIVE_TIMEOUT_MS = 10_000;
/** After an error on the raw socket, the time for the client to read it. */
const LINGER_MS = 2000;

interface ServerOptions extends ServerDependencies {
  /** URLs that the front page links to. */
  neighbours?: NeighbourPages;
  isTrial?: boolean;
}

/** On close, finishes requests in flight and drops idle connections. */
export function createServer(dependencies: ServerOptions): FastifyInstance {
  const { db, log, requestTimeoutMs = RECEIVE_TIMEOUT_MS, trustedProxies = [] } = dependencies;
  const server = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    // We log without request loggers.
    childLoggerFactory: logger => logger,
    genReqId: () => randomUUID(),
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    // Bodies have their own deadline.
    requestTimeout: 0,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: requestTimeoutMs / 4,
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2000 },
    clientErrorHandler(error, socket) {
      rejectRawConnection(error, socket);
    },
    frameworkErrors: (error, request, reply) => sendError(request, reply as FastifyReply, toApiError(error)),
  });
  // Node would drop headers beyond a count; only the total size is limited here.
  server.server.maxHeadersCount = 0;
  // Ignores unknown Expect headers instead of rejecting them.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response));
  server.decorateRequest('merchant_id', '');
  server.decorateRequest('key_id', '');
  server.decorateRequest('transaction_id', '');
  server.decorateRequest('isReadOnly', false);
  server.decorateRequest('readableBy', '');
  registerAllMethods(server);
  // For CONNECT, Node passes the raw socket to this event, and closes it without a response if there is no listener.
  server.server.on('connect', (_, socket) => rejectRawConnection(new ApiError('not_found'), socket as Socket));
  enableGracefulShutdown(server);
  traceRequests(server, dependencies.environment);
  // Callback hooks, because each async hook delays the request by a turn of the event loop.
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('request-id', request.id);
    // Fastify would reject invalid content types and parse the body for valid ones. Set instead of deleted, because
    // deleting slows down later header lookups.
    request.raw.headers['content-type'] = undefined;
    const lacksHost = request.headers.host === undefined && request.raw.httpVersion === '1.1';
    done(lacksHost ? new ApiError('malformed', 'host_missing') : undefined);
  });
  server.addHook('onSend', ({ headers }, reply, _payload, done) => {
    if (reply.statusCode === 503) reply.header('retry-after', '5');
    // WWW-Authenticate: Basic would make browsers prompt for a password.
    const isPage = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
    if (reply.statusCode === 401) reply.header('www-authenticate', `${isPage ? 'Bearer' : 'Basic'} realm="recaudo"`);
    done();
  });
  const announcer = new Announcer(db);
  const keyUses = new KeyUses(db);
  server.addHook('onClose', () => Promise.all([announcer.close(), keyUses.close()]).then(() => undefined));
  server.addHook('onResponse', ({ id, merchant_id, key_id, method, isReadOnly, routeOptions }, reply, done) => {
    if (key_id) keyUses.note(key_id);
    if (method !== 'GET' && !isReadOnly) announcer.announce();
    if (PROBES.includes(routeOptions.url ?? '')) return done();
    const route = `${method} ${routeOptions.url ?? '(unknown)'}`;
    log.info({
      request_id: id,
      merchant: merchant_id || undefined,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    });
    done();
  });
  countRequests(server, dependencies.environment);
  // Bodies stay bytes for all content types; routes parse JSON themselves.
  readBodies(server, dependencies.admission, requestTimeoutMs);
  server.setNotFoundHandler(() => {
    throw new ApiError('not_found');
  });
  server.setErrorHandler((thrown, request, reply) => {
    const error = toApiError(thrown);
    if (error.kind === 'internal') log.error({ err: thrown, ...namesOf(request) }, 'request: internal error');
    return sendError(request, reply, error);
  });

  addProbes(server, dependencies);
  addRest(server, dependencies);
  addGraphql(server, dependencies, dependencies.environment === 'sandbox' ? addExplorer : undefined);
  addOperatorGraphql(server, dependencies);
  addSignIn(server, dependencies);
  addNotifications(server, dependencies);
  addSettlementReports(server, dependencies);
  addMailNotifications(server, dependencies);
  addPages(server, dependencies);
  // The dashboard uses the public GraphQL API with a session cookie.
  addScriptPage(server, dependencies.environment, 'dashboard', ['/dashboard', '/dashboard/*']);
  addOperatorPage(server, dependencies);
  addFrontPage(server, dependencies);
  addReference(server, dependencies.environment, dependencies.publicUrl);
  if (dependencies.environment === 'sandbox') {
    addTokenizeDemo(server);
    addLivePages(server, dependencies);
  }
  return server;
}

function sendError(request: FastifyRequest, reply: FastifyReply, error: ApiError) {
  reply
    .header('request-id', request.id)
    .headers(error.headers)
    .code(error.http_code)
    .type('application/json; charset=utf-8');
  // CORS headers also apply to errors.
  const path = /^\/v1\/[^/?]+(\/[^?]*)/.exec(request.url)?.[1] ?? '';
  if (allowsBrowsers(path)) reply.headers(CORS_HEADERS);
  const isGraphql = /^(\/operator)?\/graphql\b/.test(request.url);
  return reply.send(JSON.stringify(isGraphql ? error.graphqlBody(request.id) : error.body(request.id)));
}

/** Responds on the raw socket to requests that Node could not parse (invalid, too long or too slow). */
function rejectRawConnection(thrown: Error, socket: Socket): void {
  const { code = '' } = thrown as NodeJS.ErrnoException;
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const request_id = randomUUID();
  const known = toApiError(thrown);
  const error = known.kind === 'internal' ? new ApiError('malformed', 'not_http') : known;
  const body = JSON.stringify(error.body(request_id));
  const head = [
    `HTTP/1.1 ${error.http_code} ${STATUS_CODES[error.http_code]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Request-Id: ${request_id}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // A client that keeps sending would keep the other half open.
  const linger = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(linger));
}
