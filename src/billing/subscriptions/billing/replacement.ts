/** The charge of a change that replaces the current period. */
import { AcquirerOperation, type AcquirerServices, type SealedCharge } from '../../../gateway/acquirer/operation';
import { type AcquirerAnswer, NoAnswerError } from '../../../gateway/acquirer/port';
import type { TransactionRow } from '../../../payments/charges/rows';
import { type BillingStep, type PeriodAttempt, recordAnswer, recordUnanswered, renewal } from './attempt';

/** The charge of a replacement, sent by its request. Without an answer it is reversed, and nothing changes. */
export const replacementCharge = new AcquirerOperation<TransactionRow, PeriodAttempt & SealedCharge, BillingStep>({
  ...renewal.definition,
  whenUnknown: 'record',
  record: async (services, transaction, answer, attempted) =>
    !attempted || (answer && !(await isReversal(services, transaction, answer)))
      ? recordAnswer(services, transaction, answer, attempted)
      : reverseReplacement(services, transaction, attempted),
});

/** The workflow, or an operator, took the request for dead: the refusal is not the bank's. */
async function isReversal({ acquirer }: AcquirerServices, { id }: TransactionRow, answer: AcquirerAnswer) {
  if (answer.approved || answer.kind !== 'not_allowed') return false;
  const found = await acquirer.find(id);
  return found.known && found.reversed;
}

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
