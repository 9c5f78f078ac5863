import type { Prisma } from '../../../prisma/generated/client';

/**
 * Transactions that lock the same name run one after another. A separate statement, so that the next one sees all rows
 * committed before the lock was granted.
 */
export const lockName = (tx: Prisma.TransactionClient, name: string): Promise<unknown> =>
  tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;

/** PostgreSQL aborts one of the deadlocked transactions; the server is up. */
export const isDeadlock = (error: unknown): boolean =>
  /deadlock/.test(`${error} ${JSON.stringify((error as { meta?: unknown }).meta)}`);

const MAX_REPEATS = 2;

/** Repeats work that has no effect if it fails. */
export async function retryOnDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await work();
    } catch (error) {
      if (!isDeadlock(error) || repeats === MAX_REPEATS) throw error;
    }
  }
}
