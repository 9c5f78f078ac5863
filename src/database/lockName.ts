import type { Prisma } from '../../prisma/generated/client';

/**
 * Transactions that lock the same name wait for each other. A statement of its own, so that the next one sees everything
 * that was committed before the lock was granted.
 */
export const lockName = (tx: Prisma.TransactionClient, name: string): Promise<unknown> =>
  tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
