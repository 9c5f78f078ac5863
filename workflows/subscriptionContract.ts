/** Contract between the subscription workflow and the program. */
import type { OperatorRequest, OperatorRequestName } from './operating/requests';

/** Every open subscription has one workflow. */
export const subscriptionWorkflowId = (subscription_id: string): string => `subscription-${subscription_id}`;

/**
 * Steps before the workflow continues as new. Each step makes later replays more expensive; a new run costs as much as
 * replaying twenty steps.
 */
export const STEPS_PER_RUN = 6;

/**
 * Spreads the new runs of subscriptions that began together over six months. Depends on the ID only, for deterministic
 * replays.
 */
export const stepsOfFirstRun = (subscription_id: string): number =>
  STEPS_PER_RUN - 1 + (Number.parseInt(subscription_id.slice(-1), 36) % STEPS_PER_RUN);

/** Next actions. Each is an activity of the same name, shown in the timeline. */
export const SUBSCRIPTION_ACTIONS = ['charge', 'retry', 'askAcquirer', 'cancel', 'catchUp'] as const;
export type SubscriptionAction = (typeof SUBSCRIPTION_ACTIONS)[number];

/** Billing states for operators. A charge takes less than a second and has no state of its own. */
export type BillingPhase = 'sleeping' | 'retrying' | 'waiting_for_acquirer' | 'paused' | 'catching_up';

/**
 * The part of the row that the workflow needs. Contains no card data, names or amounts, because Temporal stores it. New
 * fields are optional for one release, because sleeping workflows have snapshots without them.
 */
export interface SubscriptionSnapshot {
  status: string;
  current_period_number: number;
  action: SubscriptionAction;
  /** The next action as text for operators. */
  next: string;
  /** Real time; 0 for immediately. */
  wake_at: number;
  /** The wake time by the subscription's clock, or the condition of the wait. */
  until: string;
  /** Time of the next or overdue charge by the subscription's clock; null if there is none. */
  next_charge_at: number | null;
  /** End reason of an ended subscription. */
  over: string | null;
  /** New history lines. */
  lines: string[];
  /** Replaces all known lines if another process may have added some. */
  recent?: string[];
  /** First decline of the unpaid period. */
  first_decline?: string;
  billing_state: BillingPhase;
  /** Set while past due. */
  retries_left: number | null;
  /** Due time, by the subscription's clock, of a charge delayed by an outage or a pause. */
  overdue_since: number | null;
  /** Further sentences for operators. */
  remarks: string[];
}

/** `isNudged`: another process may have changed the row and its history. */
type SubscriptionActivity = (subscription_id: string, isNudged?: boolean) => Promise<SubscriptionSnapshot>;

/** All activities perform the due action of the row, regardless of their name, so each can run twice, late or concurrently. */
export type SubscriptionActivities = Record<SubscriptionAction, SubscriptionActivity>;

/** `cancelByOperator`, because `cancel` is the name of an action. */
type OperatorActivityName = Exclude<OperatorRequestName, 'cancel'> | 'cancelByOperator';

/** Idempotent. A refusal is a non-retryable failure. */
export type OperatorActivities = Record<
  OperatorActivityName,
  (subscription_id: string, request: OperatorRequest) => Promise<SubscriptionSnapshot>
>;

export interface SubscriptionResult {
  reason: string;
  current_period_number: number;
}
