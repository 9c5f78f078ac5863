/** Every kind of work in the outbox: its group, and what handles it. Nothing else lists the kinds. */
import type { Client } from '@temporalio/client';
import { TASK_QUEUE } from '../../../workflows/contract';
import { endHold } from '../../billing/holds/hold';
import { findHold } from '../../billing/holds/rows';
import { startReplacementWorkflow } from '../../billing/planReplacements/startWorkflow';
import {
  nudgeSubscriptionsOfMerchant,
  nudgeSubscriptionsUnderHold,
} from '../../billing/subscriptions/billing/maintenance/nudgeSubscriptions';
import { applyPeriodPayment } from '../../billing/subscriptions/billing/periodPayment';
import {
  nudgeSubscriptionWorkflow,
  startSubscriptionWorkflow,
} from '../../billing/subscriptions/billing/startWorkflow';
import type { Acquirers } from '../../gateway/acquirer/acquirers';
import { sendBankAccountMail } from '../../notifications/email/bankAccountMail';
import { sendLiveRequestMail, sendOperatorMail } from '../../notifications/email/liveRequestMails';
import { MAX_SMTP_CONNECTIONS } from '../../notifications/email/mailer';
import { sendChargeMail } from '../../notifications/email/payer/chargeMails';
import { sendPaymentLinkMail } from '../../notifications/email/payer/paymentLinkMail';
import { sendPaymentMail } from '../../notifications/email/payer/paymentMail';
import { type PayerMailServices, sendSubscriptionMail } from '../../notifications/email/payer/subscriptionMails';
import { sendWebhookDisabledMail } from '../../notifications/email/webhookDisabledMail';
import { startDeliveryWorkflow } from '../../notifications/webhooks/delivery/startWorkflow';
import { expiryActivities } from '../../payments/charges/expiry';
import { startExpiryWorkflow } from '../../payments/charges/startExpiryWorkflow';
import { nudgePayoutsOf } from '../../payments/payouts/rows';
import { startPayoutWorkflow } from '../../payments/payouts/startWorkflow';
import { startSettlementWorkflow } from '../../payments/settlements/startWorkflow';
import type { Database } from '../../platform/database/connection';
import type { OutboxGroup } from './outbox';
import { queueExpiry } from './rows';

/** Dependencies of the handlers of each group. */
interface Services {
  database: { db: Database };
  /** Workflows are started where the process that starts them runs workflows itself. */
  temporal: { db: Database; temporal: Client; taskQueue?: string };
  nudges: { db: Database; temporal: Client; taskQueue?: string };
  acquirer: { db: Database; acquirers: Acquirers };
  mail: PayerMailServices & { operatorEmail?: string | undefined };
}
type Group = keyof Services;
type Handled = Promise<unknown>;
type HandlerTable = { [G in Group]: Record<string, (services: Services[G], id: string) => Handled> };

const KINDS = {
  /** An outage of Temporal or of the mail server does not delay work that needs the database alone. */
  database: {
    period_payment: ({ db }, id): Handled => applyPeriodPayment(db, id),
    merchant: async ({ db }, id): Promise<void> => {
      await nudgePayoutsOf(db, id);
      await nudgeSubscriptionsOfMerchant(db, id);
    },
    // The end of a hold writes a row of its own for the work that follows.
    hold: async ({ db }, id): Promise<void> => {
      const hold = (await endHold(db, id)) ? undefined : await findHold(db, id);
      if (hold) await nudgeSubscriptionsUnderHold(db, hold);
    },
  },
  temporal: {
    expiry: ({ db, temporal, taskQueue = TASK_QUEUE }, id): Handled => startExpiryWorkflow(db, temporal, taskQueue, id),
    subscription: ({ db, temporal, taskQueue = TASK_QUEUE }, id): Handled =>
      startSubscriptionWorkflow(db, temporal, taskQueue, id),
    delivery: ({ db, temporal, taskQueue = TASK_QUEUE }, id): Handled =>
      startDeliveryWorkflow(db, temporal, taskQueue, id),
    settlement: ({ db, temporal, taskQueue = TASK_QUEUE }, id): Handled =>
      startSettlementWorkflow(db, temporal, taskQueue, id),
    plan_replacement: ({ db, temporal, taskQueue = TASK_QUEUE }, id): Handled =>
      startReplacementWorkflow(db, temporal, taskQueue, id),
    payout: ({ db, temporal, taskQueue = TASK_QUEUE }, id): Handled => startPayoutWorkflow(db, temporal, taskQueue, id),
  },
  nudges: {
    nudge: ({ db, temporal, taskQueue = TASK_QUEUE }, id): Handled =>
      nudgeSubscriptionWorkflow(db, temporal, taskQueue, id),
  },
  /**
   * Payments whose expiry a test clock has skipped are ended here, many at a time: a step of each workflow would take
   * the Temporal server a fraction of a second. The workflow is nudged afterwards.
   */
  acquirer: {
    due_expiry: async ({ db, acquirers }, id): Promise<void> => {
      await expiryActivities(db, acquirers).expire(id);
      await queueExpiry(db, id);
    },
  },
  mail: {
    payment_mail: (services, id): Handled => sendPaymentMail(services, id),
    payment_link_mail: (services, id): Handled => sendPaymentLinkMail(services, id),
    bank_account_mail: ({ db, mailers }, id): Handled => sendBankAccountMail(db, mailers.production, id),
    webhook_mail: ({ db, mailers }, id): Handled => sendWebhookDisabledMail(db, mailers.production, id),
    past_due_mail: (services, id): Handled => sendSubscriptionMail(services, 'past_due', id),
    recovered_mail: (services, id): Handled => sendSubscriptionMail(services, 'recovered', id),
    unpaid_mail: (services, id): Handled => sendSubscriptionMail(services, 'unpaid', id),
    ended_mail: (services, id): Handled => sendSubscriptionMail(services, 'ended', id),
    last_retry_mail: (services, id): Handled => sendSubscriptionMail(services, 'last_retry', id),
    trial_ending_mail: (services, id): Handled => sendSubscriptionMail(services, 'trial_ending', id),
    card_expiring_mail: (services, id): Handled => sendSubscriptionMail(services, 'card_expiring', id),
    paused_mail: (services, id): Handled => sendSubscriptionMail(services, 'paused', id),
    resumed_mail: (services, id): Handled => sendSubscriptionMail(services, 'resumed', id),
    plan_changed_mail: (services, id): Handled => sendSubscriptionMail(services, 'plan_changed', id),
    cancelled_mail: (services, id): Handled => sendSubscriptionMail(services, 'cancelled', id),
    charge_mail: (services, id): Handled => sendChargeMail(services, id),
    live_submitted_mail: ({ db, mailers }, id): Handled => sendLiveRequestMail(db, mailers, id, 'submitted'),
    live_returned_mail: ({ db, mailers }, id): Handled => sendLiveRequestMail(db, mailers, id, 'returned'),
    live_approved_mail: ({ db, mailers }, id): Handled => sendLiveRequestMail(db, mailers, id, 'approved'),
    live_refused_mail: ({ db, mailers }, id): Handled => sendLiveRequestMail(db, mailers, id, 'refused'),
    live_operator_mail: ({ db, mailers, operatorEmail }, id): Handled =>
      sendOperatorMail(db, mailers.production, id, operatorEmail),
  },
} satisfies HandlerTable;

declare module '../../platform/database/outbox' {
  interface OutboxKinds extends KindsByGroup {}
}
type KindsByGroup = { [G in Group]: keyof (typeof KINDS)[G] };

export const OUTBOX_KINDS = Object.values(KINDS).flatMap(Object.keys);

const FAST = { maxBatchRows: 200, leaseSeconds: 20, maxBackoffSeconds: 5 };

/**
 * A nudge lasts until a worker has done what is due. Temporal dispatches tasks in order of arrival, while the outbox
 * alternates between merchants, so the rest waits in the outbox.
 */
const MAX_NUDGES = 16;

const LIMITS: Record<Group, Omit<OutboxGroup, 'handlers'>> = {
  database: { ...FAST, leaseSeconds: 120 },
  temporal: FAST,
  nudges: { ...FAST, maxBatchRows: MAX_NUDGES },
  // The lease is longer than an acquirer without answers can take for a batch.
  acquirer: { maxBatchRows: 64, leaseSeconds: 45, maxBackoffSeconds: 5 },
  // A batch is no larger than the number of e-mails sent at once, and the lease longer than sending can take: a second
  // process that took over the row would send the same e-mail again.
  mail: { maxBatchRows: MAX_SMTP_CONNECTIONS, leaseSeconds: 120, maxBackoffSeconds: 600 },
};

export function outboxHandlers<G extends Group>(group: G, services: Services[G]): OutboxGroup {
  const table: HandlerTable = KINDS;
  const handlers = Object.entries(table[group]).map(([kind, handle]) => [kind, (id: string) => handle(services, id)]);
  return { ...LIMITS[group], handlers: Object.fromEntries(handlers) };
}
