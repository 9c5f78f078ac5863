import type { Acquirer } from '../acquirer/port';
import type { Decision } from '../charges/pending/decide';
import type { TransactionRow } from '../charges/rows';
import { ApiError } from '../platform/errors';

/**
 * Pays as a store or a bank would. The result comes back as in production: by a signed notification of the acquirer.
 */
export async function simulatePayment(
  acquirer: Acquirer,
  { id: key, page_key, method, progress, status }: TransactionRow,
  outcome: Decision | 'pending',
): Promise<void> {
  if (page_key === null || method === 'card' || progress !== 'pending')
    throw new ApiError('not_allowed', `A charge by ${method} that is ${status} waits for no store and no bank`);
  await acquirer.simulate('pay', { key, outcome });
}
