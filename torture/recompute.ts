/** Recomputes a subscription according to the calendar alone. */
import { billingOffset, type Day, dayOf, nthChargeDay, type RepeatUnit, startOfDay } from '../workflows/calendar';

export interface SubscriptionState {
  id: string;
  merchant_id: string;
  status: string;
  reason: string | null;
  first_charge_day: Day;
  anchor_period: number;
  is_paused: boolean;
  resume_date: Day | null;
  current_period_number: number;
  due_at: Date;
  now: Date;
  cancel_at_period_end: boolean;
  /** Amounts of the plans of its merchant. */
  prices: string[];
  /** Periods that began without a charge. */
  covered: number[];
  /** Charges of changes that were not made. */
  failed_changes: string[];
  /** Sum of the negative extras. */
  courtesies: string;
  credit_balance: string;
  repeat_every: number;
  repeat_unit: RepeatUnit;
  retry_times: number;
}

export interface PeriodCharge {
  id: string;
  subscription_id: string;
  period: number;
  status: string;
  amount: string;
  invoice: { quantity: number; full_amount: number; discount: number } | null;
  creation_date: Date;
}

export const TAKEN = ['completed', 'refunded'];

/** Returns the problems of a subscription. */
export function recompute(subscription: SubscriptionState, charges: readonly PeriodCharge[]): string[] {
  const { id, status, first_charge_day, anchor_period, repeat_every, repeat_unit } = subscription;
  const { current_period_number: period, is_paused, resume_date } = subscription;
  const problems: string[] = [];
  const regularDay = (n: number): Day =>
    nthChargeDay(first_charge_day, n - anchor_period + 1, repeat_every, repeat_unit);
  /** A pause delays a period that is not opened yet. */
  const dayOfPeriod = (n: number): Day => {
    if (!is_paused || n <= period) return regularDay(n);
    return resume_date && resume_date > regularDay(n) ? resume_date : resume_date ? regularDay(n) : '9999-12-31';
  };
  const now = subscription.now.getTime();
  const isPast = (n: number): boolean => startOfDay(dayOfPeriod(n)) + billingOffset(id) < now;
  const taken = charges.filter(charge => TAKEN.includes(charge.status));
  const paid = [...taken.map(charge => charge.period), ...subscription.covered].sort((one, other) => one - other);
  if (paid.some((n, i) => n !== i + 1)) problems.push(`paid periods ${paid.join(' ')}`);
  const received = taken.reduce((sum, { amount }) => sum + Number(amount), Number(subscription.courtesies));
  if (Number(subscription.credit_balance) > received)
    problems.push(`has a credit of ${subscription.credit_balance} after payments of ${received}`);
  for (const charge of charges) {
    if (!isPriced(charge, subscription)) problems.push(`was charged ${charge.amount} for period ${charge.period}`);
    // The anchor of periods before a pause or a change is not stored.
    const isRegular = charge.period >= anchor_period && !subscription.failed_changes.includes(charge.id);
    if (isRegular && dayOf(charge.creation_date.getTime()) < dayOfPeriod(charge.period))
      problems.push(`was charged for period ${charge.period} before ${dayOfPeriod(charge.period)}`);
  }
  const open = charges.filter(charge => charge.status === 'in_progress');
  if (open.length > 0) problems.push(`still has open charges`);
  if (status === 'cancelled') return problems;
  if (status === 'new') problems.push('has never started');
  if (status === 'trial' && (period !== 0 || isPast(1))) problems.push(`should have been charged on ${dayOfPeriod(1)}`);
  if (status === 'active' && (paid.length !== period || isPast(period + 1)))
    problems.push(`has paid ${paid.length} periods of ${period}, and the next was due on ${dayOfPeriod(period + 1)}`);
  if (['past_due', 'unpaid'].includes(status) && (paid.length !== period - 1 || subscription.due_at.getTime() < now))
    problems.push(
      `has paid ${paid.length} periods before ${period}, and is due at ${subscription.due_at.toISOString()}`,
    );
  return problems;
}

/** The database checks that the invoice adds up to the amount. */
function isPriced({ amount, invoice }: PeriodCharge, { prices }: SubscriptionState): boolean {
  if (!invoice) return prices.includes(amount);
  const { quantity, full_amount, discount } = invoice;
  return prices.includes(`${full_amount / quantity}`) && discount <= full_amount;
}
