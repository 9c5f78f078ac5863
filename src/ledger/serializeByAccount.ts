/** Debits of one account wait for each other in the process already, so that at most one connection waits for its lock in the database. */
const lasts = new Map<string, Promise<unknown>>();

export function serializeByAccount<T>(account: string, work: () => Promise<T>): Promise<T> {
  const before = lasts.get(account) ?? Promise.resolve();
  const mine = before.then(work, work);
  lasts.set(account, mine);
  const over = (): unknown => lasts.get(account) === mine && lasts.delete(account);
  mine.then(over, over);
  return mine;
}
