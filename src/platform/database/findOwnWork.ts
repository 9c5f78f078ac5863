/**
 * For a request that could insert nothing. A repeated request makes the same identifiers again, so it may have inserted
 * the row before, and `find` finds it. Otherwise the request is refused.
 */
export async function findOwnWork<T>(find: Promise<T | null | undefined>, refusal: () => Promise<never>): Promise<T> {
  return (await find) ?? refusal();
}
