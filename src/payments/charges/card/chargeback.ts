/**
 * Chargebacks. The disputed amount is debited while the chargeback is open, and then lost or returned to the merchant.
 * The acquirer reports each step by a notification.
 */
import type { Prisma } from '../../../../prisma/generated/client';
import { chargebacksAccount } from '../../../ledger/accounts';
import { readBalance } from '../../../ledger/balances';
import { closeChargebackEntries, openChargebackEntries } from '../../../ledger/movements';
import type { Database } from '../../../platform/database/connection';
import { lockName } from '../../../platform/database/locks';
import { ApiError } from '../../../platform/errors';
import type { Money } from '../../../platform/money';
import type { TransactionRow } from '../rows';
import { settleInTransaction } from '../settle';
import { chargeEvent, outcomeTime } from './charge';
import { lockCharge, refundsOf } from './recordRefund';

export const CHARGEBACK_STEPS = {
  open: { from: 'completed', to: 'chargeback_pending', event: 'chargeback.created' },
  accepted: { from: 'chargeback_pending', to: 'chargeback_accepted', event: 'chargeback.accepted' },
  rejected: { from: 'chargeback_pending', to: 'chargeback_adjustment', event: 'chargeback.rejected' },
} as const;
export type ChargebackAction = keyof typeof CHARGEBACK_STEPS;

/** Throws unless the charge has the status required by the step, so that each step happens once. */
export function requireChargebackAllowed({ status, method }: TransactionRow, step: ChargebackAction): void {
  if (status !== CHARGEBACK_STEPS[step].from || method !== 'card')
    throw new ApiError('not_allowed', 'chargeback_refused', { step: step === 'open' ? 'opened' : step, status });
}

/** Ignores a repeated notification. Locks the account against concurrent refunds. */
export async function applyChargeback(
  { db }: { db: Database },
  { id, account }: TransactionRow,
  step: ChargebackAction,
): Promise<void> {
  const { to, event } = CHARGEBACK_STEPS[step];
  await db.$transaction(async tx => {
    await lockName(tx, account);
    const charge = await lockCharge(tx, id);
    if (charge.status === to) return;
    requireChargebackAllowed(charge, step);
    const refunds = (await refundsOf(tx, id)).filter(({ status }) => status !== 'failed');
    const remaining = refunds.reduce((rest, { amount }) => rest - amount, charge.amount);
    if (step === 'open' && remaining <= 0n) throw new ApiError('not_allowed', 'nothing_left');
    const entries =
      step === 'open'
        ? openChargebackEntries(charge, remaining, await readBalance(tx, account))
        : closeChargebackEntries(step, charge, await disputedAmounts(tx, charge));
    const row: TransactionRow = { ...charge, status: to, operation_date: outcomeTime(charge) };
    const latest = refunds.find(({ status }) => status === 'completed');
    await settleInTransaction(tx, 'settled', { row, entries, event: chargeEvent(event, row, latest) });
  });
}

/** Disputed amounts by debited account, including refunds that were in flight at the opening and failed later. */
const disputedAmounts = (
  tx: Prisma.TransactionClient,
  { id, merchant_id }: TransactionRow,
): Promise<{ account: string; amount: Money }[]> => tx.$queryRaw`
  select account, -sum(amount)::bigint as amount from entries
  where movement like 'chargeback %' and account <> ${chargebacksAccount(merchant_id)}
    and transaction_id in (select id from transactions where id = ${id} or parent_id = ${id})
  group by account having sum(amount) <> 0 order by account`;
