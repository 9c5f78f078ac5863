/** Maps any thrown value to an API error. Unexpected ones become 1000; callers log the cause. */
import { GraphQLError } from 'graphql';
import { ApiError } from './errors';

/** API errors for the codes of Fastify, Node's HTTP parser and Prisma. */
const errorsByCode: Record<string, () => ApiError> = {
  FST_ERR_BAD_URL: () => new ApiError('malformed', 'path_encoding'),
  HPE_HEADER_OVERFLOW: () => new ApiError('malformed', 'headers_too_long'),
  ERR_HTTP_REQUEST_TIMEOUT: () => new ApiError('malformed', 'request_timeout'),
  P1001: () => new ApiError('unavailable'),
  P1002: () => new ApiError('unavailable'),
  P1008: () => new ApiError('unavailable'),
  P1017: () => new ApiError('unavailable'),
  P2024: () => new ApiError('unavailable'),
  P2028: () => new ApiError('unavailable'),
  P2037: () => new ApiError('unavailable'),
  // PostgreSQL: too many connections.
  '53300': () => new ApiError('unavailable'),
};

/** Messages of the pg driver for an unreachable or unusable server; Prisma wraps them in several ways. */
const DATABASE_DOWN = new RegExp(
  [
    'ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH',
    "Can't reach database server",
    'Connection terminated|terminating connection|Connection closed|server closed the connection',
    'lock timeout|statement timeout|deadlock detected|idle-in-transaction',
    'timeout exceeded when trying to connect|Query read timeout|SocketTimeout',
    'in a read-only transaction|No space left on device|could not extend file',
    'database system is (starting up|shutting down|not yet accepting|in recovery)|DatabaseNotReachable|TooManyConnections',
  ].join('|'),
  'i',
);

/** Prisma puts the driver's error of a raw statement in `meta`. */
interface ThrownFault {
  code?: string;
  message?: string;
  cause?: unknown;
  meta?: unknown;
}

export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof GraphQLError && thrown.originalError) return toApiError(thrown.originalError);
  const { code = '', message = '', cause, meta } = (thrown ?? {}) as ThrownFault;
  const createError = errorsByCode[code];
  if (createError) return createError();
  // Every other request that Fastify rejects.
  const { statusCode = 500 } = (thrown ?? {}) as { statusCode?: number };
  if (code.startsWith('FST_') && statusCode < 500)
    return new ApiError(statusCode === 404 || statusCode === 414 ? 'not_found' : 'malformed');
  const isDatabaseDown =
    thrown instanceof Error && DATABASE_DOWN.test(`${code} ${message} ${JSON.stringify([cause, meta])}`);
  return new ApiError(isDatabaseDown ? 'unavailable' : 'internal');
}
