/** Has the acquirer asked now what became of an attempt, instead of when it would be asked by itself. */
import { formatMoment } from '../../../../workflows/calendar';
import { makeLookupDue } from '../../../billing/subscriptions/operating/rows';
import { findVisible, type SubscriptionRow } from '../../../billing/subscriptions/rows';
import { CHARGE_LEASE_SECONDS, findTransaction, type TransactionRow } from '../../../payments/charges/rows';
import type { Database } from '../../../platform/database/connection';
import { ApiError } from '../../../platform/errors';
import { operationOf } from '../../acquirerOperations';
import type { CommandResult, OperatorCommandInput } from '../command';
import { carryOut, type PlannedChange } from './plannedChange';

export async function askAcquirer(input: OperatorCommandInput): Promise<CommandResult> {
  const { db, id } = input;
  const subscription = await findVisible(db, id);
  if (subscription) return carryOut(input, askForSubscription(subscription));
  const transaction = await findTransaction(db, { id });
  if (!transaction) throw new ApiError('not_found', 'unknown_payment', { id });
  return carryOut(input, await askForTransaction(db, transaction));
}

function refuseUnless(isChanged: boolean): void {
  if (!isChanged) throw new ApiError('not_allowed', 'changed_meanwhile');
}

/** The workflow asks when the row says so: the moment is moved, and the workflow told. */
function askForSubscription(row: SubscriptionRow): PlannedChange {
  const { id, merchant_id, open } = row;
  if (!open) throw new ApiError('not_allowed', 'no_open_attempt_of', { id });
  const { transaction_id, tries, again_at, period } = open;
  return {
    action: 'acquirer.asked',
    object_id: id,
    merchant_id,
    steps: [
      `The charge ${transaction_id} of period ${period} got no answer ${tries} times; it would be asked about at ${formatMoment(again_at)}.`,
      'It becomes due at once, and the workflow is told, or started if it is missing.',
      'What the acquirer does not know is sent again under the same key, so nothing is charged twice.',
    ],
    details: { transaction_id },
    write: async tx => {
      refuseUnless(await makeLookupDue(tx, row, transaction_id));
    },
  };
}

async function askForTransaction(db: Database, row: TransactionRow): Promise<PlannedChange> {
  const { id, merchant_id, progress, subscription_id, lease_until } = row;
  const recoveredBy = operationOf(row)?.definition.recoveredBy;
  const planned = { action: 'acquirer.asked', object_id: id, merchant_id } as const;
  if (recoveredBy === 'payout workflow')
    return {
      ...planned,
      steps: [
        'The payout is sent again under the same key, which pays it once.',
        'Its workflow is told, or started if it is missing; an attempt that has just failed is repeated within a minute.',
      ],
      write: async tx => {
        const { environment } = await tx.merchant.findUniqueOrThrow({ where: { id: merchant_id } });
        await tx.outbox.create({ data: { kind: 'payout', object_id: id, environment } });
      },
    };
  if (recoveredBy === 'subscription workflow') {
    const subscription = await findVisible(db, subscription_id ?? '');
    if (subscription?.open?.transaction_id === id) return askForSubscription(subscription);
  }
  if (recoveredBy !== 'lease' || lease_until === null)
    throw new ApiError('not_allowed', 'outcome_known', { id, status: row.status });
  if (isBusy(row, lease_until))
    throw new ApiError('not_allowed', 'being_processed', { id, until: formatMoment(lease_until.getTime()) });
  return {
    ...planned,
    steps: [
      `It is ${progress}, and would be asked about after ${formatMoment(lease_until.getTime())}.`,
      'A worker asks the acquirer within seconds. What the acquirer does not know is reversed for good.',
    ],
    write: async tx => {
      const { count } = await tx.transaction.updateMany({ where: { id, progress }, data: { lease_until: new Date() } });
      refuseUnless(count > 0);
    },
  };
}

/** A charge that is older than a lease is no longer its request's. Of the others nobody knows when they began. */
function isBusy({ progress, creation_date, clock_offset }: TransactionRow, lease_until: Date): boolean {
  if (lease_until.getTime() <= Date.now()) return false;
  const madeAt = creation_date.getTime() - clock_offset * 1000;
  return progress !== 'prepared' || madeAt > Date.now() - CHARGE_LEASE_SECONDS * 1000;
}
