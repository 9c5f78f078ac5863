/** For a request that could insert nothing, although no reason is left that it could be told. It can be repeated. */
export const CHANGED_MEANWHILE = 'Something else changed at the same moment';

/**
 * For a request that could insert nothing. A repeated request makes the same identifiers again, so it may have inserted
 * the row before, and `find` finds it. Otherwise the request is refused.
 */
export async function findOwnWork<T>(find: Promise<T | null | undefined>, refusal: () => Promise<never>): Promise<T> {
  return (await find) ?? refusal();
}
