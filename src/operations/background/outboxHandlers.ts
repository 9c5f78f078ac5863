/** Who does the work that rows of the outbox ask for, by their kind. */
import type { Client } from '@temporalio/client';
import { TASK_QUEUE } from '../../../workflows/contract';
import { endHold } from '../../billing/holds/hold';
import { findHold } from '../../billing/holds/rows';
import { startSubscriptionWorkflow } from '../../billing/subscriptions/billing/startWorkflow';
import { nudgeHeld, nudgeSubscriptionsOf } from '../../billing/subscriptions/billing/upkeep/nudgeMany';
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
import { nudgePayoutsOf } from '../../payments/payouts/rows';
import { startPayoutWorkflow } from '../../payments/payouts/startWorkflow';
import { startSettlementWorkflow } from '../../payments/settlements/startWorkflow';
import type { Database } from '../../platform/database/connection';
import type { OutboxHandlers } from './outbox';
import { queueExpiry } from './rows';

const FAST_LIMITS = { maxBatchRows: 200, leaseSeconds: 20, maxBackoffSeconds: 5 };

/** Work that needs the database alone, so an outage of Temporal or of the mail server does not delay it. */
export const databaseHandlers = (db: Database): OutboxHandlers<'database'> => ({
  ...FAST_LIMITS,
  leaseSeconds: 120,
  handlers: {
    // It was suspended or resumed.
    merchant: async id => {
      await nudgePayoutsOf(db, id);
      await nudgeSubscriptionsOf(db, id);
    },
    // Billing was held or released, or its time has come. The end of a hold writes a row of its own for what follows.
    hold: async id => {
      const hold = (await endHold(db, id)) ? undefined : await findHold(db, id);
      if (hold) await nudgeHeld(db, hold);
    },
  },
});

/** Workflows are started where the process that starts them runs workflows itself. */
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
 * What a test clock has jumped over is ended here, many at a time: a step of each workflow would take the Temporal
 * server a fraction of a second. The workflow is told afterwards, and waits where somebody is just at the payment. The
 * lease is longer than an acquirer without answers can take for a batch.
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
        await queueExpiry(db, id);
      },
    },
  };
};

/**
 * A batch is no larger than what is sent at once and the lease is longer than sending can take, since a second process
 * that took over the row would send the same mail again.
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
