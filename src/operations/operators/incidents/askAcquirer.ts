/** Resolves an unknown outcome at the acquirer immediately, instead of at the scheduled time. */
import { formatMoment } from '../../../../workflows/calendar';
import { makeLookupDue, rejectBeingProcessed } from '../../../billing/subscriptions/operating/rows';
import { findVisible, type SubscriptionRow } from '../../../billing/subscriptions/rows';
import { CHARGE_LEASE_SECONDS, findTransaction, type TransactionRow } from '../../../payments/charges/rows';
import type { Database } from '../../../platform/database/connection';
import { ApiError } from '../../../platform/errors';
import { operationOf } from '../../acquirerOperations';
import type { ChangePlan, PlannedResolution } from './plannedChange';

export const askAcquirer: ChangePlan = async ({ db, id }) => {
  const subscription = await findVisible(db, id);
  if (subscription) return planForSubscription(subscription);
  const transaction = await findTransaction(db, { id });
  if (!transaction) throw new ApiError('not_found', 'unknown_payment', { id });
  return planForTransaction(db, transaction);
};

function requireChange(isChanged: boolean): void {
  if (!isChanged) throw new ApiError('not_allowed', 'changed_meanwhile');
}

const SENT_AGAIN = {
  en: 'If the acquirer does not know the charge, it is sent again with the same idempotency key, so the payer is charged once.',
  es: 'Si el adquirente no conoce el cobro, se envía de nuevo con la misma llave de idempotencia: al pagador se le cobra una sola vez.',
};
const REVERSED_CHANGE = {
  en: 'The charge is for a change of plan. If the acquirer does not know it, it is reversed permanently, and the subscription stays as it is.',
  es: 'El cobro es de un cambio de plan. Si el adquirente no lo conoce, se reversa definitivamente y la suscripción queda como está.',
};

/** Moves the retry time in the row forward; the workflow then queries the acquirer. */
function planForSubscription(row: SubscriptionRow): PlannedResolution {
  const { id, merchant_id, open } = row;
  if (!open) throw new ApiError('not_allowed', 'no_open_attempt_of', { id });
  rejectBeingProcessed(row);
  const { transaction_id, tries, again_at, period } = open;
  return {
    action: 'acquirer.asked',
    object_id: id,
    merchant_id,
    steps: [
      {
        en: `The charge ${transaction_id} of period ${period} got no response ${tries} times. The next lookup is at ${formatMoment(again_at)}.`,
        es: `El cobro ${transaction_id} del período ${period} no tuvo respuesta ${tries} veces. La próxima consulta es a las ${formatMoment(again_at)}.`,
      },
      {
        en: 'The lookup becomes due now. The workflow is notified, or started if it is missing.',
        es: 'La consulta se hace ahora. Se avisa al workflow, o se inicia si no existe.',
      },
      open.replacement ? REVERSED_CHANGE : SENT_AGAIN,
    ],
    details: { transaction_id },
    write: async tx => {
      requireChange(await makeLookupDue(tx, row, transaction_id));
    },
  };
}

async function planForTransaction(db: Database, row: TransactionRow): Promise<PlannedResolution> {
  const { id, merchant_id, progress, subscription_id, lease_until } = row;
  const recoveredBy = operationOf(row)?.definition.recoveredBy;
  const planned = { action: 'acquirer.asked', object_id: id, merchant_id } as const;
  if (recoveredBy === 'payout workflow')
    return {
      ...planned,
      steps: [
        {
          en: 'The payout is sent again with the same idempotency key, so it is paid once.',
          es: 'El desembolso se envía de nuevo con la misma llave de idempotencia: se paga una sola vez.',
        },
        {
          en: 'The workflow is notified, or started if it is missing. An attempt that has just failed is retried within a minute.',
          es: 'Se avisa al workflow, o se inicia si no existe. Un intento que acaba de fallar se repite en menos de un minuto.',
        },
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
      {
        en: `The progress is ${progress}. Recovery would start after ${formatMoment(lease_until.getTime())}.`,
        es: `El avance es ${progress}. La recuperación empezaría después de ${formatMoment(lease_until.getTime())}.`,
      },
      {
        en: 'A worker queries the acquirer within seconds. An operation that the acquirer does not know is reversed permanently.',
        es: 'Un worker consulta al adquirente en segundos. Una operación que el adquirente no conoce se reversa definitivamente.',
      },
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
