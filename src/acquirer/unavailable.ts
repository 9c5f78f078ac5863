import { ApiError } from '../platform/errors';
import { NoAnswerError } from './port';

/** For the caller, an acquirer without an answer is 1004. */
export function rethrowUnavailable(error: unknown): never {
  throw error instanceof NoAnswerError ? new ApiError('unavailable', 'The acquirer does not answer') : error;
}
