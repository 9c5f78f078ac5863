/** Resolves an unknown outcome at the acquirer immediately, instead of at the scheduled time. */
import { formatMoment } from '../../../../workflows/calendar';
import { makeLookupDue } from '../../../billing/subscriptions/operating/rows';
import { findVisible, type SubscriptionRow } from '../../../billing/subscriptions/rows';
import { CHARGE_LEASE_SECONDS, findTransaction, type TransactionRow } from '../../../payments/charges/rows';
import type { Database } from '../../../platform/database/connection';
import { ApiError } from '../../../platform/errors';
import { operationOf } from '../../acquirerOperations';
import type { CommandResult, OperatorCommandInput } from '../command';
import { applyChange, type PlannedChange } from './plannedChange';

export async function askAcquirer(input: OperatorCommandInput): Promise<CommandResult> {
  const { db, id } = input;
  const subscription = await findVisible(db, id);
  if (subscription) return applyChange(input, planForSubscription(subscription));
  const transaction = await findTransaction(db, { id });
  if (!transaction) throw new ApiError('not_found', 'unknown_payment', { id });
  return applyChange(input, await planForTransaction(db, transaction));
}

function requireChange(isChanged: boolean): void {
  if (!isChanged) throw new ApiError('not_allowed', 'changed_meanwhile');
}

/** Moves the retry time in the row forward; the workflow then queries the acquirer. */
function planForSubscription(row: SubscriptionRow): PlannedChange {
  const { id, merchant_id, open } = row;
  if (!open) throw new ApiError('not_allowed', 'no_open_attempt_of', { id });
  const { transaction_id, tries, again_at, period } = open;
  return {
    action: 'acquirer.asked',
    object_id: id,
    merchant_id,
    steps: [
      `The charge ${transaction_id} of period ${period} got no response ${tries} times. The next lookup is at ${formatMoment(again_at)}.`,
      'The lookup becomes due now. The workflow is notified, or started if it is missing.',
      'If the acquirer does not know the charge, it is sent again with the same idempotency key, so the payer is charged once.',
    ],
    details: { transaction_id },
    write: async tx => {
      requireChange(await makeLookupDue(tx, row, transaction_id));
    },
  };
}

async function planForTransaction(db: Database, row: TransactionRow): Promise<PlannedChange> {
  const { id, merchant_id, progress, subscription_id, lease_until } = row;
  const recoveredBy = operationOf(row)?.definition.recoveredBy;
  const planned = { action: 'acquirer.asked', object_id: id, merchant_id } as const;
  if (recoveredBy === 'payout workflow')
    return {
      ...planned,
      steps: [
        'The payout is sent again with the same idempotency key, so it is paid once.',
        'The workflow is notified, or started if it is missing. An attempt that has just failed is retried within a minute.',
      ],
      write: async tx => {
        const { environment } = await tx.merchant.findUniqueOrThrow({ where: { id: merchant_id } });
        await tx.outbox.create({ data: { kind: 'payout', object_id: id, environment } });
      },
    };
  if (recoveredBy === 'subscription workflow') {
    const subscription = await findVisible(db, subscription_id ?? '');
    if (subscription?.open?.transaction_id === id) return planForSubscription(subscription);
  }
  if (recoveredBy !== 'lease' || lease_until === null)
    throw new ApiError('not_allowed', 'outcome_known', { id, status: row.status });
  if (isLeased(row, lease_until))
    throw new ApiError('not_allowed', 'being_processed', { id, until: formatMoment(lease_until.getTime()) });
  return {
    ...planned,
    steps: [
      `The progress is ${progress}. Recovery would start after ${formatMoment(lease_until.getTime())}.`,
      'A worker queries the acquirer within seconds. An operation that the acquirer does not know is reversed permanently.',
    ],
    write: async tx => {
      const { count } = await tx.transaction.updateMany({ where: { id, progress }, data: { lease_until: new Date() } });
      requireChange(count > 0);
    },
  };
}

/** A prepared charge older than a lease has no process. For other operations the start time is unknown. */
function isLeased({ progress, creation_date, clock_offset }: TransactionRow, lease_until: Date): boolean {
  if (lease_until.getTime() <= Date.now()) return false;
  const createdAt = creation_date.getTime() - clock_offset * 1000;
  return progress !== 'prepared' || createdAt > Date.now() - CHARGE_LEASE_SECONDS * 1000;
}
