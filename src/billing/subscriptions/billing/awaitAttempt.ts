/**
 * Some changes make a charge due at once: a new card for an unpaid period, an ended trial, or a requested retry. The
 * workflow makes the charge, and the request waits for its outcome.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { clockNow, reloadSubscription, type SubscriptionRow } from '../rows';
import { type BillingServices, chargePeriod, coverPeriod } from './attempt';
import { endPeriodPayment } from './periodPayment';
import { isDue, nextActionOf } from './snapshot';

const MAX_WAIT_MS = 20_000;
/** Without a worker, or without Temporal, the request makes the charge itself. */
const MAX_WORKER_WAIT_MS = 2000;
const POLL_INTERVAL_MS = 50;

/** Returns the subscription after the attempt, or its current state if the acquirer does not answer. */
export async function awaitAttempt(services: BillingServices, changed: SubscriptionRow): Promise<SubscriptionRow> {
  const startedAt = Date.now();
  let row = changed;
  while (isPending(row) && Date.now() - startedAt < MAX_WAIT_MS) {
    const next = nextActionOf(row);
    if (next.do === 'cover') await coverPeriod(services.db, row, clockNow(row));
    else if (next.do === 'withdraw' && Date.now() - startedAt > MAX_WORKER_WAIT_MS)
      await endPeriodPayment(services, row, clockNow(row));
    else if (next.do === 'charge' && Date.now() - startedAt > MAX_WORKER_WAIT_MS)
      await chargePeriod(services, row, next.attempt, clockNow(row));
    else await sleep(POLL_INTERVAL_MS);
    row = await reloadSubscription(services.db, row.id);
  }
  return row;
}

/** Does not wait for unanswered attempts, which are resolved later, or during a test clock move. */
function isPending(row: SubscriptionRow): boolean {
  if (row.clock_to) return false;
  const next = nextActionOf(row);
  if (next.do === 'resolve') return row.open?.tries === 0;
  return (next.do === 'charge' || next.do === 'cover' || next.do === 'withdraw') && isDue(row, next);
}
