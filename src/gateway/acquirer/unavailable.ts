import { ApiError } from '../../platform/errors';
import { NoAnswerError } from './port';

/** API clients get error 1004 when the acquirer does not answer. */
export function rethrowUnavailable(error: unknown): never {
  throw error instanceof NoAnswerError ? new ApiError('unavailable', 'acquirer_unreachable') : error;
}
