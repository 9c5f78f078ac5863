/** Serializes debits of an account within the process, so that at most one connection waits for its database lock. */
const lastByAccount = new Map<string, Promise<unknown>>();

export function serializeByAccount<T>(account: string, work: () => Promise<T>): Promise<T> {
  const previous = lastByAccount.get(account) ?? Promise.resolve();
  const current = previous.then(work, work);
  lastByAccount.set(account, current);
  const cleanUp = (): unknown => lastByAccount.get(account) === current && lastByAccount.delete(account);
  current.then(cleanUp, cleanUp);
  return current;
}
