/** What the workflows and the rest of the program agree on: names, shapes, and the activities that workflows call. */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** Of workers for production, and of those for both environments: workflows that began before the two were separated. */
export const TASK_QUEUE = 'recaudo';
const SANDBOX_TASK_QUEUE = 'recaudo-sandbox';

/** Where the workflows of processes that work for one environment run; undefined is both. */
export const taskQueueOf = (environment: 'sandbox' | 'production' | undefined): string =>
  environment === 'sandbox' ? SANDBOX_TASK_QUEUE : TASK_QUEUE;

/** The signal that makes a workflow look at its row again. Losing one or sending it twice does no harm. */
export const NUDGE = 'nudge';

/** The id of the sweep's schedule and of its runs. Each task queue has its own. */
export const SWEEP_ID = 'sweep';
export const sweepIdOf = (taskQueue: string): string => (taskQueue === TASK_QUEUE ? SWEEP_ID : 'sweep-sandbox');
export const SWEEP_INTERVAL = '10 minutes';

/** How many rows of each kind were swept. */
export type SweepCounts = Record<string, number>;

export interface SweepActivities {
  sweepExpired(): Promise<SweepCounts>;
}

/** Ends an authorization that nobody captures, or a payment that its payer never makes. */
export const expiryWorkflowId = (transaction_id: string): string => `expiry-${transaction_id}`;

/** Why the workflow ends, or how long it waits before it looks again. */
export type ExpiryStep = { over: string } | { waitMs: number; until?: string };

export interface ExpiryActivities {
  expire(transaction_id: string): Promise<ExpiryStep>;
}

/** Retries a webhook delivery whose first attempt failed. */
export const deliveryWorkflowId = (delivery_id: string): string => `delivery-${delivery_id}`;

/** How the delivery ended, or how long to wait before the next attempt. */
export type DeliveryStep = { over: string } | { waitMs: number; attempt: number };

export interface DeliveryActivities {
  /** Queues the next attempt if it is due. Its result comes with a nudge. */
  deliver(delivery_id: string): Promise<DeliveryStep>;
}

/** One workflow for every subscription that has not ended. */
export const subscriptionWorkflowId = (subscription_id: string): string => `subscription-${subscription_id}`;

/** What is done next for a subscription. Each is an activity of this name, which operators read in the timeline. */
export const SUBSCRIPTION_ACTIONS = ['charge', 'retry', 'askAcquirer', 'cancel', 'catchUp'] as const;
export type SubscriptionAction = (typeof SUBSCRIPTION_ACTIONS)[number];

/**
 * The row as its workflow sees it: its status, what comes next, and when to wake. Ids, dates, statuses and history
 * lines, but never a card, a name or an amount, because Temporal stores it. A new field is optional for one release:
 * sleeping workflows hold snapshots without it.
 */
export interface SubscriptionSnapshot {
  status: string;
  current_period_number: number;
  action?: SubscriptionAction;
  /** The next action in words, for operators. */
  next: string;
  /** In real time; 0 for at once. */
  wake_at: number;
  /** The day of that by the subscription's own clock, which is ahead where a test clock was moved. */
  until: string;
  /** When money moves next, or should have, by the subscription's own clock; null if it never does. */
  next_charge_at: number | null;
  /** Why the subscription ended, if it has. */
  over: string | null;
  /** What has just happened, one line each. */
  lines: string[];
}

type SubscriptionActivity = (subscription_id: string) => Promise<SubscriptionSnapshot>;

/**
 * All of them do what the row says is due, whatever their name, and answer the row as it then is. So each may run
 * twice, late, or beside another.
 */
export interface SubscriptionActivities extends Record<SubscriptionAction, SubscriptionActivity> {
  cancelByOperator: SubscriptionActivity;
  /** What runs call that began before the actions had names of their own. */
  proceed: SubscriptionActivity;
}

/** What a subscription's workflow returns. */
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
