/** Captures an authorized charge, in whole or in part, or voids it. The row is marked before the acquirer is called. */

import { type AuditOrigin, auditEntry } from '../../../accounts/auditLog/entry';
import { AcquirerOperation, type AcquirerServices, reverse } from '../../../gateway/acquirer/operation';
import { acquirerError } from '../../../gateway/acquirer/unavailable';
import { ApiError } from '../../../platform/errors';
import { formatMoney, type Money } from '../../../platform/money';
import type { Context } from '../../../schema/operation/context';
import { type ChargeOutcome, settleOrReload } from '../outcome/rows';
import { reloadTransaction, type TransactionRow } from '../rows';
import { captureKey } from './acquirerKeys';
import { chargeEvent, completedOutcome, outcomeTime } from './charge';
import { markWork } from './rows';

/** The `work_id` of a charge that is being cancelled because it expired. */
export const EXPIRY_WORK_ID = 'expiry';

type CaptureContext = AcquirerServices & AuditOrigin & Pick<Context, 'newId'>;

/** After a decline or a missing answer, the charge stays authorized. */
export const capture = new AcquirerOperation<TransactionRow>({
  progress: 'capturing',
  matches: () => true,
  recoveredBy: 'lease',
  whenUnknown: 'reverse',
  key: captureKey,
  send: (acquirer, key, row) => acquirer.capture(key, row.id, row.capture_amount ?? row.amount, outcomeTime(row)),
  async record({ db }, row, answer) {
    const outcome: ChargeOutcome = answer?.approved
      ? completedOutcome({ ...row, operation_date: outcomeTime(row), amount: row.capture_amount ?? row.amount })
      : { row: { ...row, progress: 'authorized' } };
    const recorded = await settleOrReload(db, 'capturing', outcome);
    if (recorded === outcome.row && !answer?.approved) throw acquirerError(answer?.kind);
    return recorded;
  },
});

/** Reverses an authorization. */
export const cancellation = new AcquirerOperation<TransactionRow>({
  progress: 'voiding',
  matches: ({ work_id }) => work_id !== EXPIRY_WORK_ID,
  recoveredBy: 'lease',
  whenUnknown: 'repeat',
  key: ({ id }) => id,
  send: reverse,
  record: ({ db }, row) => settleOrReload(db, 'voiding', cancelledOutcome(row, outcomeTime(row))),
});

export function cancelledOutcome(row: TransactionRow, at: Date): ChargeOutcome {
  const cancelledRow: TransactionRow = { ...row, operation_date: at, status: 'cancelled', progress: 'settled' };
  return { row: cancelledRow, event: chargeEvent('charge.cancelled', cancelledRow) };
}

export async function captureCharge(
  context: CaptureContext,
  charge: TransactionRow,
  amount?: Money,
): Promise<TransactionRow> {
  const work_id = context.newId('transaction');
  const { row, isNew } = await markStarted(context, charge, 'capturing', work_id, amount ?? charge.amount);
  if (row.progress !== 'capturing') return row;
  // An earlier run of this request may have sent the capture, so its outcome is looked up.
  if (!isNew) return resolveCapture(context, row);
  const recorded = await capture.run(context, row, undefined);
  // Another process took this one for dead and reversed the capture, which can be requested again.
  if (recorded.progress !== 'settled') throw acquirerError();
  return recorded;
}

export async function voidCharge(context: CaptureContext, charge: TransactionRow): Promise<TransactionRow> {
  const { row } = await markStarted(context, charge, 'voiding', context.newId('transaction'), charge.amount);
  return row.progress === 'voiding' ? cancellation.run(context, row, undefined) : row;
}

export const resolveCapture = (services: AcquirerServices, row: TransactionRow): Promise<TransactionRow> =>
  capture.resume(services, row);

/** Marks the charge as capturing or voiding. A repeated request gets the row that its earlier run left. */
async function markStarted(
  context: CaptureContext,
  { id }: TransactionRow,
  progress: 'capturing' | 'voiding',
  work_id: string,
  capture_amount: Money,
): Promise<{ row: TransactionRow; isNew: boolean }> {
  const { db } = context;
  const isCapture = progress === 'capturing';
  const action = isCapture ? 'charge.capture_requested' : 'charge.refund_requested';
  const audit = auditEntry(context, action, { object_id: id, after: { amount: formatMoney(capture_amount) } });
  const started = await markWork(db, id, { progress, work_id, capture_amount, attempts: isCapture ? 1 : 0 }, audit);
  const row = started ?? (await reloadTransaction(db, id));
  if (!started && row.progress === 'authorized')
    throw new ApiError('invalid_value', 'above_authorization', { field: 'amount' });
  if (row.work_id !== work_id) throw new ApiError('not_allowed', 'not_capturable');
  return { row, isNew: started !== undefined };
}
