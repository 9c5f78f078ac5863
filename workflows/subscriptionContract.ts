/** What the workflow of a subscription and the rest of the program agree on. */
import type { OperatorRequest, OperatorRequestName } from './operating/requests';

/** One workflow for every subscription that has not ended. */
export const subscriptionWorkflowId = (subscription_id: string): string => `subscription-${subscription_id}`;

/**
 * Then the workflow continues as new, so that no history grows with the age of a subscription: each step makes every
 * later replay dearer, and a new run costs as much as replaying twenty.
 */
export const STEPS_PER_RUN = 6;

/**
 * Subscriptions that began together would all begin their new runs in the same month, which would cost twice as much as
 * the others. By this length, which an id always has, a sixth of them does so in each month.
 */
export const stepsOfFirstRun = (subscription_id: string): number =>
  STEPS_PER_RUN - 1 + (Number.parseInt(subscription_id.slice(-1), 36) % STEPS_PER_RUN);

/** What is done next for a subscription. Each is an activity of this name, which operators read in the timeline. */
export const SUBSCRIPTION_ACTIONS = ['charge', 'retry', 'askAcquirer', 'cancel', 'catchUp'] as const;
export type SubscriptionAction = (typeof SUBSCRIPTION_ACTIONS)[number];

/** What goes on. A charge itself takes less than a second, so that nobody would find it by a state of its own. */
export type BillingPhase = 'sleeping' | 'retrying' | 'waiting_for_acquirer' | 'paused' | 'catching_up';

/**
 * The row as its workflow sees it: its status, what comes next, and when to wake. Ids, dates, statuses and history
 * lines, but never a card or a name, because Temporal stores it; the plan's amount is given to it once, at the start. A
 * new field is optional for one release: sleeping workflows hold snapshots without it.
 */
export interface SubscriptionSnapshot {
  status: string;
  current_period_number: number;
  action: SubscriptionAction;
  /** The next action in words, for operators. */
  next: string;
  /** In real time; 0 for at once. */
  wake_at: number;
  /** The date and time of that by the subscription's own clock, or what is waited for instead. */
  until: string;
  /** When money moves next, or should have, by the subscription's own clock; null if it never does. */
  next_charge_at: number | null;
  /** Why the subscription ended, if it has. */
  over: string | null;
  /** What has just happened, one line each. */
  lines: string[];
  /** The latest of its history instead, where others than the workflow may have written some. */
  recent?: string[];
  /** Of the period that is not paid. */
  first_decline?: string;
  billing_state: BillingPhase;
  /** While past due. */
  retries_left: number | null;
  /** Since when a charge is due and not done, by the subscription's own clock: the acquirer is away, or it is paused. */
  overdue_since: number | null;
  /** What else an operator must know, a sentence each. */
  remarks: string[];
}

/** `isNudged` says that somebody else has changed the row, and perhaps written to its history. */
type SubscriptionActivity = (subscription_id: string, isNudged?: boolean) => Promise<SubscriptionSnapshot>;

/**
 * All of them do what the row says is due, whatever their name, and answer the row as it then is. So each may run
 * twice, late, or beside another.
 */
export type SubscriptionActivities = Record<SubscriptionAction, SubscriptionActivity>;

/** `cancel` is the name of an action, so that an operator's has another. */
type OperatorActivityName = Exclude<OperatorRequestName, 'cancel'> | 'cancelByOperator';

/** Each writes what was asked for once, however often it runs. A refusal is a failure that is not retried. */
export type OperatorActivities = Record<
  OperatorActivityName,
  (subscription_id: string, request?: OperatorRequest) => Promise<SubscriptionSnapshot>
>;

/** What a subscription's workflow returns. */
export interface SubscriptionResult {
  reason: string;
  current_period_number: number;
}
