/** State and events of the billing rules. */
import type { Day, Moment } from '../../../../workflows/calendar';
import type { Money } from '../../../platform/money';
import type { CancelReason } from './cancelReasons';
import type { Discount, Extra, Invoice, PlannedChange, PlanTerms, Replacement } from './prices';

/** `new` is invisible: the outcome of the first charge is unknown. */
export type BillingStatus = 'new' | 'trial' | 'active' | 'past_due' | 'unpaid' | 'cancelled';
export type EndReason =
  | 'cancelled_by_merchant'
  | 'cancelled_by_operator'
  | 'customer_deleted'
  | 'period_ended'
  | 'retries_exhausted'
  | 'left_unpaid';

/** An attempt to collect a period. Attempts with a new card or on request are `free`: a decline uses up no retry. */
export interface Attempt {
  period: number;
  attempt: number;
  free: boolean;
}

/** A recorded attempt with an unknown outcome. */
export interface OpenAttempt extends Attempt {
  transaction_id: string;
  card_id: string;
  /** Number of missing answers, and the time of the next lookup in real time. */
  tries: number;
  again_at: Moment;
  /** The change that is made if the charge is paid. */
  replacement?: Replacement;
  /** The charge of a replacement that was not answered in time is reversed even if it was paid. */
  is_reversed?: boolean;
  /** Set if the payer makes this payment, at a bank, in a store or on its page, instead of a charge to the card. */
  payment?: PeriodPayment;
}

export interface PeriodPayment {
  method: string;
  /** The time until which it can be paid. Retries wait as long. */
  until: Moment;
}

/** A decline after which the present card must not be charged before `until`, or never (null). */
export interface CardRefusal {
  error_code: number;
  until: Moment | null;
}

export interface BillingState {
  id: string;
  terms: PlanTerms;
  card_id: string;
  /** Anchor of all charge days. */
  first_charge_day: Day;
  /** The period whose charge day is first_charge_day. */
  anchor_period: number;
  trial_end_date: Day;
  status: BillingStatus;
  cancel_at_period_end: boolean;
  /** Number of the latest period, paid or not; 0 during the trial. */
  current_period_number: number;
  /** Time of the next charge or retry; while unpaid, of the cancellation. */
  due_at: Moment;
  /** Declined attempts of the current period. */
  attempts: number;
  retries_left: number;
  /** The unpaid period must be charged immediately. */
  try_now: boolean;
  card_refusal: CardRefusal | null;
  open: OpenAttempt | null;
  reason: EndReason | null;
  /** From the request of a pause until it is withdrawn or a period opens. It takes effect when the next period is due. */
  is_paused: boolean;
  /** Day on which a paused subscription is charged again; null until it is resumed. */
  resume_date: Day | null;
  quantity: number;
  pending_change: PlannedChange | null;
  /** Credit from replaced periods, used before the card. */
  credit_balance: Money;
  discount: Discount | null;
  /** Extras of the next period. */
  extras: Extra[];
  /** Amounts of the latest period; null if it costs the amount of the plan. */
  invoice: Invoice | null;
}

export type NextAction =
  | { do: 'charge'; at: Moment; attempt: Attempt }
  /** Opens a period that costs nothing, without asking the acquirer. */
  | { do: 'cover'; at: Moment; period: number }
  /** Looks up the outcome of an attempt; `send` allows sending it again. `at` is real time. */
  | { do: 'resolve'; at: Moment; attempt: Attempt; send: boolean }
  /** Ends a payment that the payer has not made. */
  | { do: 'withdraw'; at: Moment; period: number }
  /** A retry that is due, but must not be sent with the present card. */
  | { do: 'skip'; at: Moment; period: number }
  | { do: 'cancel'; at: Moment; reason: EndReason }
  | { do: 'nothing'; reason: EndReason };

export type AttemptOutcome = 'paid' | 'declined' | 'not_made';

/** Not an interface, so that the audit log takes it as JSON. */
export type Pause = { resume_date: Day | null };
export interface Decline {
  error_code: number;
  /** The acquirer's advice overrides the error code. */
  advice?: 'do_not_retry' | { retry_after_hours: number } | undefined;
}

export interface SubscriptionChange {
  cancel_at_period_end?: boolean;
  cancel_reason?: CancelReason;
  trial_end_date?: Day;
  card_id?: string;
  /** Whether the card has the number of the present one. */
  is_same_number?: boolean;
  /** Whether the card has a number that was refused for good in this period. */
  is_refused_number?: boolean;
  /** ID of a request for an immediate retry of an unpaid period. */
  retry?: string;
  is_by_operator?: boolean;
  pause?: Pause;
  /** ID of a request to resume a paused subscription. */
  resume?: string;
  /** Null withdraws a planned change. */
  planned?: PlannedChange | null;
  /** Null removes the coupon. */
  coupon?: Discount | null;
  extra?: Extra;
  /** ID of an extra that was not billed yet. */
  removed_extra?: string;
  /** The credit of an ended subscription was returned to the payer. */
  clears_credit?: boolean;
}

export type BillingEvent =
  | {
      type: 'prepared';
      realTime: Moment;
      attempt: Attempt;
      transaction_id: string;
      replacement?: Replacement;
      payment?: PeriodPayment;
    }
  | { type: 'covered'; at: Moment }
  /** A payment of the unpaid period that arrived after its withdrawal. */
  | { type: 'paid_late'; at: Moment; transaction_id: string; method: string }
  /** A payment that arrived when nothing was due. */
  | { type: 'credited'; at: Moment; transaction_id: string; amount: Money }
  | ({ type: 'replaced' } & Replacement)
  | { type: 'answered'; at: Moment; outcome: AttemptOutcome; decline?: Decline | undefined }
  | { type: 'unanswered'; realTime: Moment }
  | { type: 'skipped'; at: Moment }
  | { type: 'cancel'; reason: EndReason }
  | ({ type: 'change'; at: Moment } & SubscriptionChange);
