/** Changes that a merchant, a customer or an operator requests. */
import { addDays, dayOf, type Moment } from '../../../../workflows/calendar';
import { refusedPlan, withPlan } from './changes';
import { afterResumption, hasUnpaidPeriod, isCollecting, opensAt, pauseStart } from './periods';
import { refusedRetry, withCard } from './retries';
import type { BillingState, SubscriptionChange } from './state';

export function afterChange(state: BillingState, change: SubscriptionChange, at: Moment): BillingState {
  const { cancel_at_period_end, trial_end_date, card_id, retry, pause, resume } = change;
  const planned = withPlan(state, change);
  const resumed = resume === undefined ? planned : afterResumption(planned, at);
  const after = card_id === undefined ? { ...resumed } : withCard(resumed, change, at);
  if (cancel_at_period_end !== undefined) after.cancel_at_period_end = cancel_at_period_end;
  if (retry) after.try_now = true;
  if (trial_end_date !== undefined) {
    const over = trial_end_date < dayOf(at);
    after.trial_end_date = trial_end_date;
    after.first_charge_day = over ? dayOf(at) : addDays(trial_end_date, 1);
    after.due_at = over && !after.is_paused ? at : opensAt(after, 1);
  }
  if (pause) {
    Object.assign(after, { is_paused: true, resume_date: pause.resume_date });
    if (!isCollecting(state)) after.due_at = opensAt(after, state.current_period_number + 1);
  }
  return after;
}

/** Returns the reason for refusing a change, or undefined. */
export function refusedChange(state: BillingState, change: SubscriptionChange, at: Moment) {
  if (change.clears_credit) {
    // A charge that is open may still use credit or add some.
    const isOwed = state.status === 'cancelled' && !state.open && state.credit_balance > 0n;
    return isOwed ? undefined : 'no_credit_owed';
  }
  if (state.status === 'cancelled') return 'subscription_cancelled';
  if (change.trial_end_date !== undefined && (state.status !== 'trial' || state.open)) return 'trial_over';
  if (change.retry && !hasUnpaidPeriod(state)) return 'no_unpaid_period';
  if (change.pause && hasUnpaidPeriod(state)) return 'pause_while_unpaid';
  if (change.pause?.resume_date && change.pause.resume_date < pauseStart(state)) return 'resumed_before_period_end';
  if (change.resume && !state.is_paused) return 'not_paused';
  return refusedPlan(state, change) ?? refusedRetry(state, change, at);
}
