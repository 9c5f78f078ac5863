import type { AcquirerServices } from '../gateway/acquirer/operation';
import type { Decision } from '../payments/charges/pending/decide';
import type { TransactionRow } from '../payments/charges/rows';
import { clockOf } from '../platform/database/clock';
import { ApiError } from '../platform/errors';

/** Simulates the payer's decision. The result arrives as in production, by a signed notification of the acquirer. */
export async function simulatePayment(
  { db, acquirer }: AcquirerServices,
  { id: key, merchant_id, customer_id, page_key, method, progress, status }: TransactionRow,
  outcome: Decision | 'pending',
): Promise<void> {
  if (page_key === null || method === 'card' || progress !== 'pending')
    throw new ApiError('not_allowed', 'not_payable_by_simulator', { method, status });
  const { now: date } = await clockOf(db, merchant_id, customer_id);
  await acquirer.simulate('pay', { key, outcome, date });
}
