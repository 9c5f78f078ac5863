/** What the workflows and the rest of the program agree on: names, shapes, and the activities that workflows need. */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

export const TASK_QUEUE = 'recaudo';

/** A signal to every workflow that waits: look again. It carries nothing, so losing or doubling one does no harm. */
export const NUDGE = 'nudge';

/** The schedule of the sweep, and the id of its runs. */
export const SWEEP_ID = 'sweep';
export const SWEEP_INTERVAL = '10 minutes';

/** How many rows of each kind were swept. */
export type SweepCounts = Record<string, number>;

export interface SweepActivities {
  sweepExpired(): Promise<SweepCounts>;
}

/** The workflow that ends what was only begun: a reserved charge that nobody captures, a payment that nobody makes. */
export const expiryWorkflowId = (transaction_id: string): string => `expiry-${transaction_id}`;

/** Why it is over, or how long to wait before the next look. */
export type ExpiryStep = { over: string } | { waitMs: number; until?: string };

export interface ExpiryActivities {
  expire(transaction_id: string): Promise<ExpiryStep>;
}

/** The workflow of a delivery whose first attempt failed. */
export const deliveryWorkflowId = (delivery_id: string): string => `delivery-${delivery_id}`;

/** How it ended, or how long to wait before the next attempt. */
export type DeliveryStep = { over: string } | { waitMs: number; attempt: number };

export interface DeliveryActivities {
  /** Where it is due: tries it once more. */
  deliver(delivery_id: string): Promise<DeliveryStep>;
}

/** One workflow for every subscription that lives. */
export const subscriptionWorkflowId = (subscription_id: string): string => `subscription-${subscription_id}`;

/** The row as its workflow sees it: how it stands, what comes next, and when to wake. Only ids and dates; no card, name or amount. */
export interface SubscriptionSnapshot {
  status: string;
  current_period_number: number;
  /** In words, for operators. */
  next: string;
  /** In real time; 0 for at once. */
  wake_at: number;
  /** The day of that by its own clock, which is ahead where a test clock was moved. */
  until: string;
  /** When money moves next, by the subscription's own clock; null where it will not. */
  next_charge_at: number | null;
  /** Why it is over, when it is. */
  over: string | null;
  /** What has just happened, a line each. */
  lines: string[];
}

/** Each may run twice, late or beside another: it does what the row says is due, and answers the row as it then is. */
export interface SubscriptionActivities {
  proceed(subscription_id: string): Promise<SubscriptionSnapshot>;
  cancelByOperator(subscription_id: string): Promise<SubscriptionSnapshot>;
}

/** What its workflow ends with. */
export interface SubscriptionResult {
  reason: string;
  current_period_number: number;
}

export const MerchantIdAttribute = defineSearchAttributeKey('MerchantId', SearchAttributeType.KEYWORD);
export const CustomerIdAttribute = defineSearchAttributeKey('CustomerId', SearchAttributeType.KEYWORD);
export const PlanIdAttribute = defineSearchAttributeKey('PlanId', SearchAttributeType.KEYWORD);
export const EnvironmentAttribute = defineSearchAttributeKey('Environment', SearchAttributeType.KEYWORD);
export const SubscriptionStatusAttribute = defineSearchAttributeKey('SubscriptionStatus', SearchAttributeType.KEYWORD);
export const NextChargeAtAttribute = defineSearchAttributeKey('NextChargeAt', SearchAttributeType.DATETIME);
