import type { Stats } from './query';

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

/** Undefined without charges. */
export const approvalOf = (days: readonly { paid: number; failed: number }[]): number | undefined => {
  const paid = sum(days, day => day.paid);
  const all = paid + sum(days, day => day.failed);
  return all === 0 ? undefined : paid / all;
};

export const volumeOf = (days: readonly { volume: number }[]): number => sum(days, ({ volume }) => volume);

export const upcomingOf = (days: readonly { amount: number }[]): number => sum(days, ({ amount }) => amount);

/** Monthly revenue of past due subscriptions. All active and past due subscriptions of a plan have equal shares of its revenue. */
export const monthlyAtRisk = ({ plans }: Pick<Stats, 'plans'>): number =>
  Math.round(sum(plans, ({ mrr, active, past_due }) => (past_due > 0 ? (mrr * past_due) / (active + past_due) : 0)));
