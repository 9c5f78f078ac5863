import type { Prisma } from '../../../prisma/generated/client';

/**
 * Transactions that lock the same name wait for each other. A statement of its own, so that the next one sees everything
 * that was committed before the lock was granted.
 */
export const lockName = (tx: Prisma.TransactionClient, name: string): Promise<unknown> =>
  tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;

/** PostgreSQL ends one of several transactions that wait for each other, and the server is up. */
export const isDeadlock = (error: unknown): boolean =>
  /deadlock/.test(`${error} ${JSON.stringify((error as { meta?: unknown }).meta)}`);

const MAX_REPEATS = 2;

/** Repeats work that leaves nothing behind when it fails. */
export async function despiteDeadlocks<T>(work: () => Promise<T>): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await work();
    } catch (error) {
      if (!isDeadlock(error) || repeats === MAX_REPEATS) throw error;
    }
  }
}
