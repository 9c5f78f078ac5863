/** A payer's bank wants its money back: held while it is decided, then gone or the merchant's again. The acquirer tells of each step. */
import { ApiError } from '../errors';
import { chargeback } from '../ledger/movements';
import { chargeEvent, momentOf, type Work } from './charge';
import { lockCharge, refundsOf } from './refund';
import { settleWithin } from './settle';
import type { TransactionRow } from './shown';

export const STEPS = {
  open: { from: 'completed', to: 'chargeback_pending', event: 'chargeback.created' },
  accepted: { from: 'chargeback_pending', to: 'chargeback_accepted', event: 'chargeback.accepted' },
  rejected: { from: 'chargeback_pending', to: 'chargeback_adjustment', event: 'chargeback.rejected' },
} as const;
export type Step = keyof typeof STEPS;

/** Whether the step can be taken; one that was taken before is none any more. */
export function refuseStep({ status, method }: TransactionRow, step: Step): void {
  if (status !== STEPS[step].from || method !== 'card')
    throw new ApiError(
      'not_allowed',
      `A chargeback cannot be ${step === 'open' ? 'opened' : step} on a charge that is ${status}`,
    );
}

/** The same notification again changes nothing. */
export async function applyChargeback({ db }: Pick<Work, 'db'>, id: string, step: Step): Promise<void> {
  const { to, event } = STEPS[step];
  await db.$transaction(async tx => {
    const charge = await lockCharge(tx, id);
    if (charge.status === to) return;
    refuseStep(charge, step);
    const refunds = (await refundsOf(tx, id)).filter(({ status }) => status !== 'failed');
    const left = refunds.reduce((rest, { amount }) => rest - amount, charge.amount);
    if (left <= 0n) throw new ApiError('not_allowed', 'Nothing is left of the charge');
    const row: TransactionRow = { ...charge, status: to, operation_date: momentOf(charge) };
    await settleWithin(tx, 'settled', {
      row,
      entries: chargeback(step, charge, left),
      event: chargeEvent(event, row, refunds),
    });
  });
}
