/** What the workflows and the rest of the program agree on: names, shapes, and the activities that workflows call. */

/** The task queue of workers for production, and of workers for both environments. */
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

/** The id of the audit's schedule and of its runs. Each task queue has its own. */
export const auditIdOf = (taskQueue: string): string => (taskQueue === TASK_QUEUE ? 'audit' : 'audit-sandbox');
export const AUDIT_INTERVAL = '1 hour';

/** What the audit that runs by itself holds of every subscription. */
export const INVARIANTS = [
  'subscriptions_have_workflows',
  'workflows_have_subscriptions',
  'attributes_equal_rows',
  'periods_are_collected',
] as const;
export type Invariant = (typeof INVARIANTS)[number];

/** Something that differs, as far as one look can tell: Temporal's list of workflows is a moment behind. */
export interface Suspect {
  invariant: Invariant;
  environment: string;
  subscription_id: string;
  /** What the look before this one found. */
  difference?: string;
}

/** How many were looked at in an environment, and what differs; only some of it is written out. */
interface AuditTally {
  checks: number;
  differences: number;
  examples: string[];
}

/** What an audit has found so far. Ids and statuses only, never an amount, because Temporal stores it. */
export interface AuditProgress {
  /** The subscription that was looked at last. */
  after: string;
  isDone: boolean;
  /** By environment and invariant. */
  tallies: Record<string, Partial<Record<Invariant, AuditTally>>>;
  suspects: Suspect[];
}

/** Each may run twice. */
export interface AuditActivities {
  /** Looks at the next subscriptions. */
  auditPortion(progress: AuditProgress): Promise<AuditProgress>;
  /** Looks again at each by itself. Answers what differs still, and as it did before. */
  auditSuspects(suspects: Suspect[]): Promise<Suspect[]>;
  /** Keeps the result, and answers how many differences there are. */
  recordAudit(progress: AuditProgress): Promise<Record<string, number>>;
}

/** Ends an authorization that nobody captures, or a payment that its payer never makes. */
export const expiryWorkflowId = (transaction_id: string): string => `expiry-${transaction_id}`;

/** Why the workflow ends, or how long it waits before it looks again. */
export type ExpiryStep = { over: string } | { waitMs: number; until?: string };

export interface ExpiryActivities {
  expire(transaction_id: string): Promise<ExpiryStep>;
}

/** Matches a settlement report of the acquirer with the books. */
export const settlementWorkflowId = (report_id: string): string => `settlement-${report_id}`;

/** The numbers of the parts that the acquirer has not sent yet. */
interface MissingParts {
  missing: number[];
}

/** Why the report is refused, or that it is whole, and the one merchant that it is about. */
type CheckedReport = { refused: string } | { merchant_id?: string };

/** Whether further items can be compared with the books, and how many wait for transactions that are not finished. */
export interface MatchedItems {
  isMore: boolean;
  waiting: number;
}

/** Each does what is left to do and may run twice. Ids and numbers only, never an amount, because Temporal stores them. */
export interface SettlementActivities {
  collectParts(report_id: string): Promise<MissingParts>;
  checkSums(report_id: string): Promise<CheckedReport>;
  /** The next thousand. At the end also those whose transactions are still not finished: they count as not in the books. */
  matchItems(report_id: string, isEnd: boolean): Promise<MatchedItems>;
  /** The settlements of the next merchants; whether there are others. */
  tellMerchants(report_id: string): Promise<boolean>;
  /** The result in words. */
  closeReport(report_id: string): Promise<string>;
}

/** Retries a webhook delivery whose first attempt failed. */
export const deliveryWorkflowId = (delivery_id: string): string => `delivery-${delivery_id}`;

/** The latest attempt: which one it was, what the webhook answered, and in words. Never the answer itself. */
export interface DeliveryOutcome {
  attempt: number;
  status: string;
  text: string;
}

/**
 * How the delivery ended, or how long to wait before the next attempt, and until when; null while that one waits in the
 * queue.
 */
export type DeliveryStep =
  | { over: string; last?: DeliveryOutcome; problem?: string }
  | { waitMs: number; attempt: number; until: string | null; last?: DeliveryOutcome };

export interface DeliveryActivities {
  /** Queues the next attempt if it is due. Its result comes with a nudge. */
  deliver(delivery_id: string): Promise<DeliveryStep>;
}

/** Sends what a merchant has to its bank account. */
export const payoutWorkflowId = (transaction_id: string): string => `payout-${transaction_id}`;

/** How the payout ended, or whom it waits for and how long. */
export type PayoutStep = { over: string } | { waitMs: number; for: string };

export interface PayoutActivities {
  sendPayout(transaction_id: string): Promise<PayoutStep>;
}
