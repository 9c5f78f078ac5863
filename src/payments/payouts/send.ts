/** Sends payouts to the acquirer, each under its own ID. After a missing answer the workflow sends the payout again. */
import type { PayoutActivities, PayoutStep } from '../../../workflows/contract';
import type { BankAccountRow } from '../../accounts/bankAccounts/rows';
import type { Acquirers } from '../../gateway/acquirer/acquirers';
import { AcquirerOperation } from '../../gateway/acquirer/operation';
import type { AcquirerAnswer } from '../../gateway/acquirer/port';
import { closePayoutEntries } from '../../ledger/movements';
import type { Database } from '../../platform/database/connection';
import { ApiError, errorCodeOf } from '../../platform/errors';
import { outcomeTime } from '../charges/card/charge';
import { type ChargeOutcome, settle } from '../charges/outcome/rows';
import { narrowTransaction, type TransactionRow } from '../charges/rows';
import { accountOf, payoutEvent } from './view';

/** Fallback: resuming the merchant nudges the workflow. */
const SUSPENDED_RETRY_MS = 3_600_000;

/** Returns undefined while the outcome is unknown. */
export const payout = new AcquirerOperation<TransactionRow, BankAccountRow, TransactionRow | undefined>({
  progress: 'sending',
  matches: () => true,
  recoveredBy: 'payout workflow',
  whenUnknown: 'repeat',
  key: ({ id }) => id,
  send: (acquirer, key, { amount, creation_date }, account) => acquirer.payout(key, account, amount, creation_date),
  async record({ db }, row, answer, sentTo) {
    if (!answer) return undefined;
    const account = sentTo ?? (await accountOf(db, row));
    const outcome = answer.approved ? paidOutcome(row, account, answer) : returnedOutcome(row, account, answer);
    await settle(db, 'sending', outcome);
    return outcome.row;
  },
});

/** Sends no new payout of a suspended merchant, but resolves a payout that was sent earlier. */
const payoutWhileSuspended: typeof payout = new AcquirerOperation({ ...payout.definition, whenUnknown: 'record' });

export const payoutActivities = (db: Database, acquirers: Acquirers): PayoutActivities => ({
  async sendPayout(id: string): Promise<PayoutStep> {
    const loaded = await db.transaction.findUnique({
      where: { id },
      include: { merchant: { select: { environment: true, status: true } } },
    });
    if (!loaded) return { over: 'unknown' };
    const { merchant, ...model } = loaded;
    const row = narrowTransaction(model);
    if (row.progress !== 'sending') return { over: describe(row) };
    const acquirer = acquirers[merchant.environment]?.forMerchant(row.merchant_id);
    if (!acquirer) throw new Error(`payouts: no acquirer configured for ${merchant.environment}`);
    const account = await accountOf(db, row);
    const operation = merchant.status === 'suspended' ? payoutWhileSuspended : payout;
    const recorded = await operation.resume({ db, acquirer }, row, account);
    return recorded
      ? { over: describe(recorded) }
      : { waitMs: SUSPENDED_RETRY_MS, for: 'an operator to resume the merchant' };
  },
});

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
