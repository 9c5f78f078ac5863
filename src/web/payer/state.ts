/** The state of a subscription for its page, by the billing rules. */
import { type Day, dayOf, nthChargeDay } from '../../../workflows/calendar';
import { projectCharges } from '../../billing/subscriptions/history/history';
import { clockNow, stateOf } from '../../billing/subscriptions/rows';
import { nextAction } from '../../billing/subscriptions/rules/billing';
import { amountOf } from '../../billing/subscriptions/rules/invoices';
import { datesOf, hasUnpaidPeriod, isPauseInEffect, pauseStart } from '../../billing/subscriptions/rules/periods';
import { waitsForNewCard } from '../../billing/subscriptions/rules/retries';
import type { Money } from '../../platform/money';
import type { PayerView } from './find';

const NEXT_CHARGES = 3;
const PAUSE_MONTHS = [1, 2, 3] as const;

export interface PayerState {
  status: 'trial' | 'active' | 'paused' | 'past_due' | 'unpaid';
  /** The amount of the unpaid period. */
  due: Money | undefined;
  /** Whether a charge is in progress, or its outcome unknown. */
  isCharging: boolean;
  needsNewCard: boolean;
  /** Day of the next retry, or on which an unpaid subscription ends. */
  until: Day | undefined;
  /** The last day of a subscription that ends with its period. */
  ends: Day;
  pause: { since: Day; resume_date: Day | null; isInEffect: boolean } | undefined;
  charges: { day: Day; amount: Money }[];
  can: Record<'cancel' | 'keep' | 'pause' | 'resume', boolean>;
}

export function payerState({
  row,
  actions,
  is_suspended,
}: Pick<PayerView, 'row' | 'actions' | 'is_suspended'>): PayerState {
  const state = stateOf(row);
  const now = clockNow(row);
  const next = nextAction(state);
  const isUnpaid = hasUnpaidPeriod(state);
  const isInEffect = isPauseInEffect(state, now);
  const { period_end_date } = datesOf(state);
  const { is_paused, cancel_at_period_end } = row;
  const needsNewCard = waitsForNewCard(row);
  return {
    status: isUnpaid
      ? (row.status as 'past_due' | 'unpaid')
      : isInEffect
        ? 'paused'
        : (row.status as 'trial' | 'active'),
    due: isUnpaid ? amountOf(state, row.current_period_number) : undefined,
    isCharging: (row.open !== null && next.do !== 'withdraw') || row.try_now,
    needsNewCard,
    until: isUnpaid && !(needsNewCard && row.status === 'past_due') ? dayOf(row.due_at.getTime()) : undefined,
    ends: [period_end_date, dayOf(now)].toSorted()[1] ?? period_end_date,
    pause: is_paused ? { since: pauseStart(state), resume_date: row.resume_date, isInEffect } : undefined,
    charges: projectCharges(row, { periods: NEXT_CHARGES }).map(({ charge_date: day, amount }) => ({ day, amount })),
    can: {
      cancel: actions.includes('cancel') && !cancel_at_period_end && row.status !== 'unpaid',
      keep: actions.includes('cancel') && cancel_at_period_end,
      pause: actions.includes('pause') && !isUnpaid && !is_paused && !cancel_at_period_end,
      resume: actions.includes('pause') && is_paused && !(is_suspended && isInEffect),
    },
  };
}

/** Lengths of a pause in months, each with the day of the next charge. */
export function pauseChoices({ row }: PayerView): { months: number; day: Day }[] {
  const since = pauseStart(stateOf(row));
  return PAUSE_MONTHS.map(months => ({ months, day: nthChargeDay(since, months + 1, 1, 'month') }));
}

export const pauseDay = ({ row }: PayerView): Day => pauseStart(stateOf(row));
