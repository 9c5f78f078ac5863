/** Contract between the subscription workflow and the program. */
import type { OperatorRequest, OperatorRequestName } from './operating/requests';

/** Every open subscription has one workflow. */
export const subscriptionWorkflowId = (subscription_id: string): string => `subscription-${subscription_id}`;

/** Next actions. Each is an activity of the same name, shown in the timeline. */
export const SUBSCRIPTION_ACTIONS = ['charge', 'retry', 'askAcquirer', 'cancel', 'catchUp'] as const;
export type SubscriptionAction = (typeof SUBSCRIPTION_ACTIONS)[number];

/**
 * Billing states for operators. A charge takes less than a second and has no state of its own.
 * `held`: by an operator or a suspension. `paused`: by the merchant. `waiting_for_payment`: by the payer.
 */
export type BillingPhase =
  | 'sleeping'
  | 'retrying'
  | 'waiting_for_payment'
  | 'waiting_for_acquirer'
  | 'held'
  | 'paused'
  | 'catching_up';

/** Operators can start a workflow with the ID alone. */
export interface SubscriptionInput {
  id: string;
  /** The planned action and the time for which this run was scheduled. */
  action?: SubscriptionAction;
  wake_at?: number;
  /** Latest decline of the unpaid period. */
  declined?: string;
}

/** The part of the row that the workflow needs. Contains no card data or names, because Temporal stores it. */
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
  /** Latest decline of the unpaid period, if it is new. */
  declined?: string;
  billing_state: BillingPhase;
  /** Set while past due. */
  retries_left: number | null;
  /** Due time, by the subscription's clock, of a charge delayed by an outage or a pause. */
  overdue_since: number | null;
  /** Further sentences for operators. */
  remarks: string[];
  /** Its plan, and what a period costs in pesos before discounts. Recorded snapshots may lack them for one release. */
  plan_id?: string;
  amount?: number;
}

/** `isNudged`: another process may have changed the row. */
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
