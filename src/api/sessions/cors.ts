/**
 * CORS for pages of other sites that call GraphQL with a session. Preflight requests have no credentials, so every origin
 * of any session is allowed.
 */
import type { FastifyInstance, HTTPMethods } from 'fastify';
import type { Environment } from '../../../prisma/generated/enums';
import { batched } from '../../platform/database/batch';
import { ApiError } from '../../platform/errors';
import type { ServerDependencies } from '../request';

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

interface OriginQuestion {
  environment: Environment;
  origin: string;
}

const keyOf = ({ environment, origin }: OriginQuestion): string => `${environment} ${origin}`;

/** Includes recently ended sessions, so that their pages can read the rejection. */
const findOrigin = batched(async (db, questions: readonly OriginQuestion[]) => {
  const rows = await db.$queryRaw<OriginQuestion[]>`
      select environment, origin from unnest(${questions.map(({ environment }) => environment)}::text[],
        ${questions.map(({ origin }) => origin)}::text[]) as asked (environment, origin)
      where exists (select from sessions join merchants on merchants.id = sessions.merchant_id
        where origins @> array[asked.origin] and merchants.environment::text = asked.environment)`;
  return rows.map(row => ({ id: keyOf(row) }));
}, keyOf);

/** Handles preflight requests and adds CORS headers to the routes of this scope. */
export function allowPages(
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
