import { ApiError, type ErrorKind } from '../../platform/errors';
import { NoAnswerError } from './port';

/** Without a decline, the acquirer did not answer. */
export const acquirerError = (kind: ErrorKind = 'unavailable'): ApiError =>
  kind === 'unavailable' ? new ApiError(kind, 'acquirer_no_answer') : new ApiError(kind);

/** Maps a missing acquirer answer to error 1004. */
export function rethrowUnavailable(error: unknown): never {
  throw error instanceof NoAnswerError ? new ApiError('unavailable', 'acquirer_unreachable') : error;
}
