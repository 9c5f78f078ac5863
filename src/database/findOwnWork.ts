import { ApiError, type ErrorKind } from '../platform/errors';

/**
 * For a request that could insert nothing. A repeated request makes the same identifiers again, so it may have inserted
 * the row before, and `find` finds it. Otherwise the request is refused.
 */
export async function findOwnWork<T>(
  find: Promise<T | null | undefined>,
  refusal: ErrorKind | (() => Promise<never>),
): Promise<T> {
  const row = await find;
  if (row) return row;
  throw typeof refusal === 'string' ? new ApiError(refusal) : await refusal();
}
