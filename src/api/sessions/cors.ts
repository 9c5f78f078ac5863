/**
 * Pages of other sites call GraphQL with a session. Browsers ask first, without the session, and show a page only what
 * we allow: so the origins that some session names are answered, and no others.
 */
import type { FastifyInstance, HTTPMethods } from 'fastify';
import type { Environment } from '../../../prisma/generated/enums';
import { batched } from '../../platform/database/batch';
import { ApiError } from '../../platform/errors';
import type { ServerDependencies } from '../request';

declare module 'fastify' {
  interface FastifyRequest {
    /** The origin whose pages may read the response; empty where there is none. */
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

/** Sessions that have ended count until they are swept: their pages may read that they are refused. */
const findOrigin = batched(async (db, questions: readonly OriginQuestion[]) => {
  const rows = await db.$queryRaw<OriginQuestion[]>`
      select environment, origin from unnest(${questions.map(({ environment }) => environment)}::text[],
        ${questions.map(({ origin }) => origin)}::text[]) as asked (environment, origin)
      where exists (select from sessions join merchants on merchants.id = sessions.merchant_id
        where origins @> array[asked.origin] and merchants.environment::text = asked.environment)`;
  return rows.map(row => ({ id: keyOf(row) }));
}, keyOf);

/** For the routes of this scope: answers what browsers ask before a request, and lets them read the answers to it. */
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
    // Whoever sent it is not known, but its page should learn why it is refused.
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
