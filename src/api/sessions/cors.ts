/**
 * CORS for pages of other sites that call GraphQL with a session. Preflight requests have no credentials, so every origin
 * of any session is allowed.
 */
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { ApiError } from '../../platform/errors';
import type { ServerDependencies } from '../request';
import { findOrigin } from './rows';

declare module 'fastify' {
  interface FastifyRequest {
    /** The origin that may read the response, or an empty string. */
    readableBy: string;
  }
}

const PREFLIGHT_SECONDS = 7200;
const ALLOWED_HEADERS = 'Authorization, Content-Type, Idempotency-Key';
const READABLE_HEADERS =
  'Request-Id, Retry-After, Idempotent-Replayed, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset';

export const corsHeaders = (origin: string): Record<string, string> => ({
  vary: 'Origin',
  ...(origin && { 'access-control-allow-origin': origin, 'access-control-expose-headers': READABLE_HEADERS }),
});

/** For the routes of this scope: answers preflight requests, and lets pages of known origins read the responses. */
export function allowSessionOrigins(
  scope: FastifyInstance,
  { db, environment }: ServerDependencies,
  paths: Readonly<Record<string, readonly HTTPMethods[]>>,
): void {
  const isKnown = async (origin: string): Promise<boolean> =>
    (await findOrigin(db, { environment, origin })) !== undefined;

  scope.addHook('onSend', (request, reply, _payload, done) => {
    const { origin } = request.headers;
    if (origin === undefined) return done();
    const allow = (): void => {
      reply.headers(corsHeaders(request.readableBy));
      done();
    };
    if (request.readableBy || reply.statusCode < 400) return allow();
    // The sender is unknown, but its page should be able to read the rejection.
    isKnown(origin).then(known => {
      if (known) request.readableBy = origin;
      allow();
    }, allow);
  });
  for (const [path, methods] of Object.entries(paths))
    scope.options(path, async (request, reply) => {
      const { origin } = request.headers;
      if (origin === undefined || !(await isKnown(origin))) throw new ApiError('private_key_needed', 'unknown_origin');
      request.readableBy = origin;
      return reply
        .code(204)
        .headers({
          'access-control-allow-methods': methods.join(', '),
          'access-control-allow-headers': ALLOWED_HEADERS,
          'access-control-max-age': String(PREFLIGHT_SECONDS),
        })
        .send();
    });
}
