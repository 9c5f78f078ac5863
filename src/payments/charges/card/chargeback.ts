/**
 * A payer's bank demands the money of a charge back. It is held until the dispute is decided, and then lost or returned
 * to the merchant. The acquirer notifies us of each step.
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

/** Throws unless the charge has the status that the step starts from, so each step can be taken once. */
export function requireChargebackAllowed({ status, method }: TransactionRow, step: ChargebackAction): void {
  if (status !== CHARGEBACK_STEPS[step].from || method !== 'card')
    throw new ApiError('not_allowed', 'chargeback_refused', { step: step === 'open' ? 'opened' : step, status });
}

/** A repeated notification changes nothing. The account is locked so that no refund is prepared at the same time. */
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
        : closeChargebackEntries(step, charge, await heldAmounts(tx, charge));
    const row: TransactionRow = { ...charge, status: to, operation_date: outcomeTime(charge) };
    const latest = refunds.find(({ status }) => status === 'completed');
    await settleInTransaction(tx, 'settled', { row, entries, event: chargeEvent(event, row, latest) });
  });
}

/**
 * What was held when the chargeback was opened, and since then for refunds that were in flight at that time and failed,
 * by the account that it was taken from.
 */
const heldAmounts = (
  tx: Prisma.TransactionClient,
  { id, merchant_id }: TransactionRow,
): Promise<{ account: string; amount: Money }[]> => tx.$queryRaw`
  select account, -sum(amount)::bigint as amount from entries
  where movement like 'chargeback %' and account <> ${chargebacksAccount(merchant_id)}
    and transaction_id in (select id from transactions where id = ${id} or parent_id = ${id})
  group by account having sum(amount) <> 0 order by account`;
