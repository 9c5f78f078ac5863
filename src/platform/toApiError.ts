/** Maps any thrown value to an API error. Unexpected ones become 1000; callers log the cause. */
import { GraphQLError } from 'graphql';
import { ApiError } from './errors';

const databaseError = (): ApiError => new ApiError('unavailable', 'database_unreachable');

/** API errors for the codes of Fastify, Node's HTTP parser and Prisma. */
const errorsByCode: Record<string, () => ApiError> = {
  FST_ERR_BAD_URL: () => new ApiError('malformed', 'path_encoding'),
  HPE_HEADER_OVERFLOW: () => new ApiError('malformed', 'headers_too_long'),
  ERR_HTTP_REQUEST_TIMEOUT: () => new ApiError('malformed', 'request_timeout'),
  P1001: databaseError,
  P1002: databaseError,
  P1008: databaseError,
  P1017: databaseError,
  P2024: databaseError,
  P2028: databaseError,
  P2037: databaseError,
  // PostgreSQL: too many connections.
  '53300': databaseError,
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
  return isDatabaseDown ? databaseError() : new ApiError('internal');
}
