/** Outbox handlers by kind. */
import type { Client } from '@temporalio/client';
import { Prisma } from '../../../prisma/generated/client';
import { TASK_QUEUE } from '../../../workflows/contract';
import { endHold } from '../../billing/holds/hold';
import { findHold } from '../../billing/holds/rows';
import { nudgeHeld, nudgeSubscriptionsOf } from '../../billing/subscriptions/billing/nudgeMany';
import { startSubscriptionWorkflow } from '../../billing/subscriptions/billing/startWorkflow';
import type { Acquirers } from '../../gateway/acquirer/acquirers';
import { sendBankAccountMail } from '../../notifications/email/bankAccountMail';
import { liveRequestMails } from '../../notifications/email/liveRequestMails';
import { MAX_SMTP_CONNECTIONS, type Mailers } from '../../notifications/email/mailer';
import { sendPaymentMail } from '../../notifications/email/paymentMail';
import { subscriptionMails } from '../../notifications/email/subscriptionMails';
import { sendWebhookDisabledMail } from '../../notifications/email/webhookDisabledMail';
import { startDeliveryWorkflow } from '../../notifications/webhooks/delivery/startWorkflow';
import { expiryActivities } from '../../payments/charges/expiry';
import { startExpiryWorkflow } from '../../payments/charges/startExpiryWorkflow';
import { nudgePayoutsOf } from '../../payments/payouts/nudge';
import { startPayoutWorkflow } from '../../payments/payouts/startWorkflow';
import { startSettlementWorkflow } from '../../payments/settlements/startWorkflow';
import type { Database } from '../../platform/database/connection';
import { insertOutbox } from '../../platform/database/outbox';
import type { OutboxHandlers } from './outbox';

const FAST_LIMITS = { maxBatchRows: 200, leaseSeconds: 20, maxBackoffSeconds: 5 };

/** Handlers that need only the database, so that outages of Temporal or SMTP do not delay them. */
export const databaseHandlers = (db: Database): OutboxHandlers<'database'> => ({
  ...FAST_LIMITS,
  leaseSeconds: 120,
  handlers: {
    // Written when a merchant is suspended or resumed.
    merchant: async id => {
      await nudgePayoutsOf(db, id);
      await nudgeSubscriptionsOf(db, id);
    },
    // Written when a billing hold starts, is released or expires. Ending a hold writes another row of this kind.
    hold: async id => {
      const hold = (await endHold(db, id)) ? undefined : await findHold(db, id);
      if (hold) await nudgeHeld(db, hold);
    },
  },
});

/** Starts workflows on the task queue of this process. */
export const temporalHandlers = (
  db: Database,
  temporal: Client,
  taskQueue = TASK_QUEUE,
): OutboxHandlers<'temporal'> => ({
  ...FAST_LIMITS,
  handlers: {
    expiry: id => startExpiryWorkflow(db, temporal, taskQueue, id),
    subscription: id => startSubscriptionWorkflow(db, temporal, taskQueue, id),
    delivery: id => startDeliveryWorkflow(db, temporal, taskQueue, id),
    settlement: id => startSettlementWorkflow(db, temporal, taskQueue, id),
    payout: id => startPayoutWorkflow(db, temporal, taskQueue, id),
  },
});

/**
 * Expires payments that a test clock has passed in batches, because signalling each workflow first would be slow. The
 * workflow is notified afterwards. It waits if another process is working on the payment. The lease must exceed the time
 * that a batch takes while the acquirer times out.
 */
export const acquirerHandlers = (db: Database, acquirers: Acquirers): OutboxHandlers<'acquirer'> => {
  const { expire } = expiryActivities(db, acquirers);
  return {
    maxBatchRows: 64,
    leaseSeconds: 45,
    maxBackoffSeconds: 5,
    handlers: {
      due_expiry: async id => {
        await expire(id);
        await db.$executeRaw(
          insertOutbox('expiry', Prisma.sql`select id, merchant_id from transactions where id = ${id}`),
        );
      },
    },
  };
};

/**
 * The batch size equals the number of SMTP connections and the lease exceeds the SMTP timeout. Otherwise a second process
 * could claim the row and send the e-mail twice.
 */
export const mailHandlers = (db: Database, mailers: Mailers, operatorEmail?: string): OutboxHandlers<'mail'> => ({
  maxBatchRows: MAX_SMTP_CONNECTIONS,
  leaseSeconds: 120,
  maxBackoffSeconds: 600,
  handlers: {
    payment_mail: id => sendPaymentMail(db, mailers, id),
    bank_account_mail: id => sendBankAccountMail(db, mailers.production, id),
    webhook_mail: id => sendWebhookDisabledMail(db, mailers.production, id),
    ...subscriptionMails(db, mailers),
    ...liveRequestMails(db, mailers.production, operatorEmail),
  },
});
