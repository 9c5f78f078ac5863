/** What is computed from the statistics for the screen. */
import type { Stats } from './query';

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

/** Undefined where nothing was charged. */
export const approvalOf = (days: readonly { paid: number; failed: number }[]): number | undefined => {
  const paid = sum(days, day => day.paid);
  const all = paid + sum(days, day => day.failed);
  return all === 0 ? undefined : paid / all;
};

export const volumeOf = (days: readonly { volume: number }[]): number => sum(days, ({ volume }) => volume);

export const upcomingOf = (days: readonly { amount: number }[]): number => sum(days, ({ amount }) => amount);

/**
 * What those that are past due bring in a month. A plan's revenue is that of all which are active or past due, and
 * each of them brings the same.
 */
export const monthlyAtRisk = ({ plans }: Pick<Stats, 'plans'>): number =>
  Math.round(sum(plans, ({ mrr, active, past_due }) => (past_due > 0 ? (mrr * past_due) / (active + past_due) : 0)));
