/** What the billing rules know of a subscription, and what can happen to it. */
import type { Day, Moment, RepeatUnit } from './calendar';

/** `new` is invisible to everybody: the outcome of the first charge is not known yet. */
export type BillingStatus = 'new' | 'trial' | 'active' | 'past_due' | 'unpaid' | 'cancelled';
export type EndReason =
  | 'cancelled_by_merchant'
  | 'cancelled_by_operator'
  | 'customer_deleted'
  | 'period_ended'
  | 'retries_exhausted'
  | 'left_unpaid';

/** The billing terms of the plan. The amount is not needed here. */
export interface PlanTerms {
  repeat_every: number;
  repeat_unit: RepeatUnit;
  retry_times: number;
  status_after_retry: 'unpaid' | 'cancelled';
}

/** One attempt to collect one period. An attempt with a new card, or on request, is free: if declined, it uses up no retry. */
export interface Attempt {
  period: number;
  attempt: number;
  free: boolean;
}

/** An attempt that was recorded and whose outcome is not known yet. */
export interface OpenAttempt extends Attempt {
  transaction_id: string;
  card_id: string;
  /** How often the acquirer gave no answer, and when it is asked again, in real time. */
  tries: number;
  again_at: Moment;
}

export interface BillingState {
  id: string;
  terms: PlanTerms;
  card_id: string;
  /** The anchor from which every charge day is counted. */
  first_charge_day: Day;
  trial_end_date: Day;
  status: BillingStatus;
  cancel_at_period_end: boolean;
  /** The latest period that was opened, paid or not; 0 in the trial. */
  current_period_number: number;
  /** The next charge or retry; while unpaid, the moment of the cancellation. */
  due_at: Moment;
  /** For the period that is being collected. */
  attempts: number;
  retries_left: number;
  /** A period that is not paid is to be tried at once. */
  try_now: boolean;
  open: OpenAttempt | null;
  /** Why it ended. */
  reason: EndReason | null;
}

export type NextAction =
  | { do: 'charge'; at: Moment; attempt: Attempt }
  /** Finds out the outcome of an attempt; `send` if it may be sent again. `at` is real time. */
  | { do: 'resolve'; at: Moment; attempt: Attempt; send: boolean }
  | { do: 'cancel'; at: Moment; reason: EndReason }
  | { do: 'nothing'; reason: EndReason };

export type AttemptOutcome = 'paid' | 'declined' | 'not_made';

export interface SubscriptionChange {
  cancel_at_period_end?: boolean;
  trial_end_date?: Day;
  card_id?: string;
  /** Try an unpaid period at once. Identifies the request for it. */
  retry?: string;
  /** Whether an operator asks for it, and not the merchant. */
  is_by_operator?: boolean;
}

export type BillingEvent =
  | { type: 'prepared'; realTime: Moment; attempt: Attempt; transaction_id: string }
  | { type: 'answered'; at: Moment; outcome: AttemptOutcome }
  | { type: 'unanswered'; realTime: Moment }
  | { type: 'cancel'; reason: EndReason }
  | ({ type: 'change'; at: Moment } & SubscriptionChange);
