import type { Prisma } from '../../prisma/generated/client';
import type { Money } from '../platform/money';

/**
 * Serializes debits that must not overdraw an account. A statement of its own, so that the next one sees everything
 * that was committed before the lock was granted.
 */
export const lockAccount = (tx: Prisma.TransactionClient, account: string): Promise<unknown> =>
  tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${account}, 0))`;

export async function lockAndReadBalance(tx: Prisma.TransactionClient, account: string): Promise<Money> {
  await lockAccount(tx, account);
  const [row] = await tx.$queryRaw<{ balance: Money }[]>`select balance_of(${account}) as balance`;
  return row?.balance ?? 0n;
}
