/** Counts renewals by their outcome, in total and by the minute. A process that imports this file observes its own. */
import { Counter, Histogram } from 'prom-client';
import type { Environment } from '../../../prisma/generated/enums';
import { renewalAnswered } from '../../billing/subscriptions/billing/settle';
import { registry } from '../../platform/metrics/counters';

/** From the next second to the next day, on which a retry would be due. */
const LATENESS_BUCKETS_SECONDS = [1, 5, 15, 60, 300, 900, 3600, 4 * 3600, 12 * 3600, 24 * 3600];
const registers = [registry];

const renewals = new Counter({
  name: 'recaudo_renewals_total',
  help: 'Attempts to charge a period of a subscription.',
  labelNames: ['environment', 'outcome'],
  registers,
});

const lateness = new Histogram({
  name: 'recaudo_renewal_lateness_seconds',
  help: 'From the moment at which a renewal was due to the answer of the acquirer.',
  labelNames: ['environment'],
  buckets: LATENESS_BUCKETS_SECONDS,
  registers,
});

const OUTCOMES = ['charged', 'declined', 'unanswered'] as const;
type Outcome = (typeof OUTCOMES)[number];

export interface MinuteTally extends Record<Outcome, number> {
  minute: Date;
  environment: Environment;
}

const MINUTE_MS = 60_000;
/** A tally no longer changes after its minute is over. */
const MAX_KEPT_MS = 5 * MINUTE_MS;
const tallies = new Map<string, MinuteTally>();

function tally(environment: Environment, outcome: Outcome): void {
  const minute = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS);
  const key = `${environment} ${minute.getTime()}`;
  const current = tallies.get(key) ?? { minute, environment, charged: 0, declined: 0, unanswered: 0 };
  current[outcome]++;
  tallies.set(key, current);
}

renewalAnswered.observe(({ subscription: { environment, status, open, due_at }, outcome, at }) => {
  // The first charge of a subscription without a trial is not a renewal.
  if (status === 'new') return;
  renewals.inc({ environment, outcome });
  const counted = OUTCOMES.find(known => known === outcome);
  if (counted) tally(environment, counted);
  // A retry on request is due when it is made.
  if (at && !open?.free) lateness.observe({ environment }, Math.max(0, (at.getTime() - due_at.getTime()) / 1000));
});

/** The sums of the latest minutes so far. */
export function recentRenewals(): MinuteTally[] {
  for (const [key, { minute }] of tallies) if (minute.getTime() < Date.now() - MAX_KEPT_MS) tallies.delete(key);
  return [...tallies.values()];
}
