/** The charge of a change that replaces the current period. */
import { AcquirerOperation, type AcquirerServices, type SealedCharge } from '../../../gateway/acquirer/operation';
import { NoAnswerError } from '../../../gateway/acquirer/port';
import type { TransactionRow } from '../../../payments/charges/rows';
import { type BillingStep, type PeriodAttempt, recordAnswer, recordUnanswered, renewal } from './attempt';

/** The charge of a replacement, sent by its request. Without an answer it is reversed, and nothing changes. */
export const replacementCharge = new AcquirerOperation<TransactionRow, PeriodAttempt & SealedCharge, BillingStep>({
  ...renewal.definition,
  whenUnknown: 'record',
  record: (services, transaction, answer, attempted) =>
    answer || !attempted
      ? recordAnswer(services, transaction, answer, attempted)
      : reverseReplacement(services, transaction, attempted),
});

/** The row is marked first, so that no other process records an outcome. */
async function reverseReplacement(
  services: AcquirerServices,
  transaction: TransactionRow,
  attempted: PeriodAttempt,
): Promise<BillingStep> {
  const marked = await recordUnanswered(
    services,
    transaction,
    attempted,
    new NoAnswerError('billing: no answer', true),
  );
  if (marked.row.open?.transaction_id !== transaction.id) return marked;
  await services.acquirer.reverse(transaction.id);
  return recordAnswer(services, transaction, undefined, { ...attempted, subscription: marked.row });
}
