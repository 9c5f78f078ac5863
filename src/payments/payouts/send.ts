/**
 * Sends payouts to the acquirer, each under its own id: repeated, the acquirer answers the same and pays once. While no
 * answer comes nothing is assumed, and the workflow asks again.
 */
import type { PayoutActivities, PayoutStep } from '../../../workflows/contract';
import type { BankAccountRow } from '../../accounts/bankAccounts/rows';
import type { Acquirers } from '../../gateway/acquirer/acquirers';
import type { Acquirer, AcquirerAnswer } from '../../gateway/acquirer/port';
import { closePayoutEntries } from '../../ledger/movements';
import type { Database } from '../../platform/database/connection';
import { ApiError, errorCodeOf } from '../../platform/errors';
import { outcomeTime } from '../charges/card/charge';
import { narrowTransaction, type TransactionRow } from '../charges/rows';
import { type ChargeOutcome, settle } from '../charges/settle';
import { accountOf, payoutEvent } from './view';

/** How soon it is looked again whether the merchant was resumed. A nudge comes sooner. */
const SUSPENDED_RETRY_MS = 3_600_000;

export const payoutActivities = (db: Database, acquirers: Acquirers): PayoutActivities => ({
  async sendPayout(id: string): Promise<PayoutStep> {
    const found = await db.transaction.findUnique({
      where: { id },
      include: { merchant: { select: { environment: true, status: true } } },
    });
    if (!found) return { over: 'unknown' };
    const { merchant, ...model } = found;
    const row = narrowTransaction(model);
    if (row.progress !== 'sending') return { over: describe(row) };
    const acquirer = acquirers[merchant.environment]?.forMerchant(row.merchant_id);
    if (!acquirer) throw new Error(`there is no acquirer of ${merchant.environment}`);
    const account = await accountOf(db, row);
    const isSuspended = merchant.status === 'suspended';
    const answer = await (isSuspended
      ? answerOf(acquirer, id)
      : acquirer.payout(id, account, row.amount, row.creation_date));
    if (!answer) return { waitMs: SUSPENDED_RETRY_MS, for: 'an operator to resume the merchant' };
    const outcome = answer.approved ? paidOutcome(row, account, answer) : returnedOutcome(row, account, answer);
    await settle(db, 'sending', outcome);
    return { over: describe(outcome.row) };
  },
});

/** Of one that may have been sent before its merchant was suspended. */
async function answerOf(acquirer: Acquirer, id: string): Promise<AcquirerAnswer | undefined> {
  const found = await acquirer.find(id);
  return found.known && !found.reversed ? found.answer : undefined;
}

/** For operators. */
const describe = ({ status, error_message }: TransactionRow): string =>
  error_message === null ? status : `${status}: ${error_message}`;

const settled = { progress: 'settled' } as const;

function paidOutcome(
  sent: TransactionRow,
  account: BankAccountRow,
  { authorization }: Extract<AcquirerAnswer, { approved: true }>,
): ChargeOutcome {
  const row: TransactionRow = {
    ...sent,
    ...settled,
    status: 'completed',
    authorization,
    operation_date: outcomeTime(sent),
  };
  const entries = closePayoutEntries('paid', row.id, row.merchant_id, row.amount);
  return { row, entries, event: payoutEvent('payout.succeeded', row, account) };
}

/** The merchant has it again. */
function returnedOutcome(
  sent: TransactionRow,
  account: BankAccountRow,
  { kind }: Extract<AcquirerAnswer, { approved: false }>,
): ChargeOutcome {
  const row: TransactionRow = {
    ...sent,
    ...settled,
    status: 'failed',
    error_code: errorCodeOf(kind),
    error_message: new ApiError(kind).message,
    operation_date: outcomeTime(sent),
  };
  const entries = closePayoutEntries('returned', row.id, row.merchant_id, row.amount);
  return { row, entries, event: payoutEvent('payout.failed', row, account) };
}
