import { ApiError } from '../../platform/errors';
import { NoAnswerError } from './port';

/** Maps a missing acquirer answer to error 1004. */
export function rethrowUnavailable(error: unknown): never {
  throw error instanceof NoAnswerError ? new ApiError('unavailable', 'acquirer_unreachable') : error;
}
