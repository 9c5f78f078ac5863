import { ApiError } from '../platform/errors';
import { Unanswered } from './port';

/** For the caller, an acquirer without an answer is 1004. */
export function unavailable(error: unknown): never {
  throw error instanceof Unanswered ? new ApiError('unavailable', 'The acquirer does not answer') : error;
}
