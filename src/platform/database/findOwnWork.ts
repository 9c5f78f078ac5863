/**
 * For a request that could not insert. A repeated request creates the same IDs again, so it may have inserted the row
 * before, and `find` finds it. Otherwise the request is rejected.
 */
export async function findOwnWork<T>(find: Promise<T | null | undefined>, refusal: () => Promise<never>): Promise<T> {
  return (await find) ?? refusal();
}
