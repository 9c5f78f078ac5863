import type { Prisma } from '../../prisma/generated/client';
import type { Money } from '../platform/money';

/** Debits that must not overdraw an account wait for each other. In a statement of its own, so that the next one sees what came before. */
export const lockAccount = (tx: Prisma.TransactionClient, account: string): Promise<unknown> =>
  tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${account}, 0))`;

export async function lockAndReadBalance(tx: Prisma.TransactionClient, account: string): Promise<Money> {
  await lockAccount(tx, account);
  const [row] = await tx.$queryRaw<{ balance: Money }[]>`select balance_of(${account}) as balance`;
  return row?.balance ?? 0n;
}
