/** The lines of a subscription's history. */
import type { PayerEmailName } from '../../../accounts/merchants/fields';
import type { CancelReason } from '../rules/cancelReasons';

export const HISTORY_EVENTS = [
  'created',
  'charged',
  'declined',
  'unanswered',
  'not_made',
  'retry_skipped',
  'unpaid',
  'card_changed',
  'retry_requested',
  'retry_requested_by_operator',
  'cancel_scheduled',
  'cancel_unscheduled',
  'trial_changed',
  'pause_requested',
  'pause_withdrawn',
  'resumed',
  'covered',
  'change_planned',
  'planned_change_removed',
  'plan_changed',
  'change_declined',
  'change_not_made',
  'coupon_added',
  'coupon_removed',
  'extra_added',
  'extra_removed',
  'credit_returned',
  'payment_requested',
  'payment_ended',
  'payment_credited',
  'iva_changed',
  'cancelled_by_merchant',
  'cancelled_by_operator',
  'customer_deleted',
  'period_ended',
  'retries_exhausted',
  'left_unpaid',
  'past_due_email',
  'recovered_email',
  'unpaid_email',
  'ended_email',
  'email_refused',
  'email_sent',
] as const;

export type HistoryEvent = (typeof HISTORY_EVENTS)[number];

export interface HistoryLine {
  event: HistoryEvent;
  date: Date;
  period?: number | null;
  transaction_id?: string | null;
  error_code?: number | null;
  day?: string | null;
  request?: string | null;
  details?: LineDetails | null;
}

/** Amounts in centavos. */
export interface LineDetails {
  reason?: CancelReason;
  plan?: string;
  quantity?: number;
  code?: string;
  description?: string;
  amount?: number;
  iva?: string | null | undefined;
  /** Method of a payment by the payer. */
  method?: string;
  kind?: PayerEmailName;
}
