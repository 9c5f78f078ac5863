/** Contract between the workflows and the program: names, types and activities. */

/** Task queue of workers for production or for both environments. */
export const TASK_QUEUE = 'recaudo';
const SANDBOX_TASK_QUEUE = 'recaudo-sandbox';

/** Task queue of processes for one environment, or for both (undefined). */
export const taskQueueOf = (environment: 'sandbox' | 'production' | undefined): string =>
  environment === 'sandbox' ? SANDBOX_TASK_QUEUE : TASK_QUEUE;

/** Signal that makes a workflow read its row again. Lost and repeated nudges are harmless. */
export const NUDGE = 'nudge';

/** ID of the sweep schedule and its runs, per task queue. */
export const SWEEP_ID = 'sweep';
export const sweepIdOf = (taskQueue: string): string => (taskQueue === TASK_QUEUE ? SWEEP_ID : 'sweep-sandbox');
export const SWEEP_INTERVAL = '10 minutes';

/** Number of swept rows by kind. */
export type SweepCounts = Record<string, number>;

export interface SweepActivities {
  sweepExpired(): Promise<SweepCounts>;
}

/** ID of the reconciliation schedule and its runs, per task queue. */
export const auditIdOf = (taskQueue: string): string => (taskQueue === TASK_QUEUE ? 'audit' : 'audit-sandbox');
export const AUDIT_INTERVAL = '1 hour';

/** Invariants that the scheduled reconciliation checks for every subscription. */
export const INVARIANTS = [
  'subscriptions_have_workflows',
  'workflows_have_subscriptions',
  'attributes_equal_rows',
  'periods_are_collected',
] as const;
export type Invariant = (typeof INVARIANTS)[number];

/** A possible difference. Temporal's list of workflows lags, so one check is not proof. */
export interface Suspect {
  invariant: Invariant;
  environment: string;
  subscription_id: string;
  /** The difference found by the previous check. */
  difference?: string;
}

/** Numbers of checks and differences, and some examples. */
interface AuditTally {
  checks: number;
  differences: number;
  examples: string[];
}

/** Progress of a reconciliation. Contains no amounts, because Temporal stores it. */
export interface AuditProgress {
  /** The last checked subscription. */
  after: string;
  isDone: boolean;
  /** By environment and invariant. */
  tallies: Record<string, Partial<Record<Invariant, AuditTally>>>;
  suspects: Suspect[];
}

/** Each activity can run twice. */
export interface AuditActivities {
  /** Checks the next subscriptions. */
  auditPortion(progress: AuditProgress): Promise<AuditProgress>;
  /** Checks each suspect again and returns those with an unchanged difference. */
  auditSuspects(suspects: Suspect[]): Promise<Suspect[]>;
  /** Stores the result and returns the number of differences. */
  recordAudit(progress: AuditProgress): Promise<Record<string, number>>;
}

/** Cancels an authorization or a pending payment when it expires. */
export const expiryWorkflowId = (transaction_id: string): string => `expiry-${transaction_id}`;

/** The final status, or the wait before the next check. */
export type ExpiryStep = { over: string } | { waitMs: number; until?: string };

export interface ExpiryActivities {
  expire(transaction_id: string): Promise<ExpiryStep>;
}

/** Matches a settlement report of the acquirer with the ledger. */
export const settlementWorkflowId = (report_id: string): string => `settlement-${report_id}`;

/** Numbers of the parts that have not arrived. */
interface MissingParts {
  missing: number[];
}

/** The reason for a refusal, or the merchant of a report about a single merchant. */
type CheckedReport = { refused: string } | { merchant_id?: string };

/** Whether further items can be matched, and the number of items whose transactions are unfinished. */
export interface MatchedItems {
  isMore: boolean;
  waiting: number;
}

/** Each activity can run twice. Arguments and results contain no amounts, because Temporal stores them. */
export interface SettlementActivities {
  collectParts(report_id: string): Promise<MissingParts>;
  checkSums(report_id: string): Promise<CheckedReport>;
  /** Matches the next items. With `isEnd`, items of unfinished transactions count as `not_in_books`. */
  matchItems(report_id: string, isEnd: boolean): Promise<MatchedItems>;
  /** Writes the settlements of the next merchants and returns whether there are more. */
  tellMerchants(report_id: string): Promise<boolean>;
  /** Returns the result as text. */
  closeReport(report_id: string): Promise<string>;
}

/** Retries a webhook delivery whose first attempt failed. */
export const deliveryWorkflowId = (delivery_id: string): string => `delivery-${delivery_id}`;

/** The latest attempt: its number, the response status, and a text. Never the response body. */
export interface DeliveryOutcome {
  attempt: number;
  status: string;
  text: string;
}

/** The outcome, or the wait before the next attempt. `until` is null while the attempt is queued. */
export type DeliveryStep =
  | { over: string; last?: DeliveryOutcome; problem?: string }
  | { waitMs: number; attempt: number; until: string | null; last?: DeliveryOutcome };

export interface DeliveryActivities {
  /** Queues the next attempt if it is due. Its result arrives with a nudge. */
  deliver(delivery_id: string): Promise<DeliveryStep>;
}

/** Schedules the change of a replaced plan's subscribers to its successor. */
export const replacementWorkflowId = (replacement_id: string): string => `planReplacement-${replacement_id}`;

/** The outcome, or the progress and the wait before the next subscribers. */
export type ReplacementStep = { over: string } | { waitMs: number; handled: number; total: number };

export interface ReplacementActivities {
  /** Can run twice: each subscriber is changed once. */
  scheduleNextChanges(replacement_id: string): Promise<ReplacementStep>;
}

/** Sends a payout to the merchant's bank account. */
export const payoutWorkflowId = (transaction_id: string): string => `payout-${transaction_id}`;

/** The outcome, or the cause and length of the wait. */
export type PayoutStep = { over: string } | { waitMs: number; for: string };

export interface PayoutActivities {
  sendPayout(transaction_id: string): Promise<PayoutStep>;
}
