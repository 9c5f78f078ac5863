/** What this process charged in the latest minutes, until it is written down for the page of operators. */
import { renewals } from './counters';

type Outcome = 'charged' | 'declined' | 'unanswered';

export interface MinuteTally extends Record<Outcome, number> {
  minute: Date;
  environment: string;
}

const MINUTE_MS = 60_000;
/** Later nothing is added to a minute any more. */
const MAX_KEPT_MS = 5 * MINUTE_MS;
const tallies = new Map<string, MinuteTally>();

const outcomes: Readonly<Record<string, Outcome>> = {
  charged: 'charged',
  declined: 'declined',
  unanswered: 'unanswered',
};

/** For the metrics, and for the page. */
export function countRenewal(environment: string, outcome: string): void {
  renewals.inc({ environment, outcome });
  const column = outcomes[outcome];
  if (!column) return;
  const minute = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS);
  const key = `${environment} ${minute.getTime()}`;
  const tally = tallies.get(key) ?? { minute, environment, charged: 0, declined: 0, unanswered: 0 };
  tally[column]++;
  tallies.set(key, tally);
}

/** The sums of the latest minutes, each as it is by now. */
export function recentRenewals(): MinuteTally[] {
  for (const [key, { minute }] of tallies) if (minute.getTime() < Date.now() - MAX_KEPT_MS) tallies.delete(key);
  return [...tallies.values()];
}
