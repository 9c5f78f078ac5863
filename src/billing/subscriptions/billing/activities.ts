/** Activities of a subscription's workflow. A call may run twice, late, or concurrently with another one. */
import type { SubscriptionActivities, SubscriptionSnapshot } from '../../../../workflows/subscriptionContract';
import type { Acquirers } from '../../../gateway/acquirer/acquirers';
import type { FraudScreening } from '../../../gateway/fraud/screening';
import type { Database } from '../../../platform/database/connection';
import type { HistoryLine } from '../lines/events';
import { declinesOf } from '../lines/rows';
import { clockNow, findVisible, realNow, reloadSubscription, type SubscriptionRow } from '../rows';
import type { NextAction } from '../rules/state';
import { applyAndWrite, type BillingStep, chargePeriod, clockColumns, coverPeriod, resolveAttempt } from './attempt';
import { endPeriodPayment } from './periodPayment';
import { writeChange } from './rows';
import { INVISIBLE_SNAPSHOT, isDue, isHeld, nextActionOf, snapshotOf } from './snapshot';

export function subscriptionActivities(
  db: Database,
  acquirers: Acquirers,
  fraud: FraudScreening,
): SubscriptionActivities {
  const performDueAction = async (id: string, isNudged = false): Promise<SubscriptionSnapshot> => {
    const toSnapshot = async (
      row: SubscriptionRow,
      next?: NextAction,
      lines: HistoryLine[] = [],
    ): Promise<SubscriptionSnapshot> => snapshotOf(row, next, isNudged ? await declinesOf(db, row) : lines);
    const before = await findVisible(db, id);
    if (!before) return INVISIBLE_SNAPSHOT;
    const due = nextActionOf(before);
    const step = await performStep({ db, acquirers, fraud }, before, due);
    if (step) {
      const next = step.row === before ? due : nextActionOf(step.row);
      const row = await finishClockMove(db, step.row, next);
      return row
        ? toSnapshot(row, next, step.lines)
        : toSnapshot(await reloadSubscription(db, id), undefined, step.lines);
    }
    const row = await reloadSubscription(db, id);
    // Temporal retries with backoff and shows the failure to operators.
    if (row.version === before.version && row.suspension === null && row.hold === null)
      throw new Error(`billing: ${id} has no usable card`);
    return toSnapshot(row);
  };
  return {
    charge: performDueAction,
    retry: performDueAction,
    askAcquirer: performDueAction,
    cancel: performDueAction,
    catchUp: performDueAction,
  };
}

/** Returns undefined if another process changed the row first. */
async function performStep(
  { db, acquirers, fraud }: { db: Database; acquirers: Acquirers; fraud: FraudScreening },
  row: SubscriptionRow,
  next: NextAction,
): Promise<BillingStep | undefined> {
  if (next.do === 'nothing') return { row, lines: [] };
  if (row.customer_status !== 'active' && row.status !== 'cancelled')
    return applyAndWrite(db, row, { type: 'cancel', reason: 'customer_deleted' });
  if (!isDue(row, next)) return { row, lines: [] };
  const acquirer = acquirers[row.environment]?.forMerchant(row.merchant_id);
  if (!acquirer) throw new Error(`billing: no acquirer configured for ${row.environment}`);
  const at = row.clock_at ? Math.max(row.clock_at.getTime(), next.do === 'resolve' ? 0 : next.at) : clockNow(row);
  if (next.do === 'cancel')
    return applyAndWrite(db, { ...row, ...clockColumns(row, at) }, { type: 'cancel', reason: next.reason });
  if (next.do === 'skip') return applyAndWrite(db, { ...row, ...clockColumns(row, at) }, { type: 'skipped', at });
  if (next.do === 'cover') return coverPeriod(db, row, at);
  if (next.do === 'withdraw' || row.open?.payment) return endPeriodPayment({ db, acquirer }, row, at);
  if (next.do === 'resolve') {
    // Resolves an attempt that may have been sent, but sends nothing while charges are held.
    const send = next.send && !isHeld(row, { ...next, do: 'charge' });
    return resolveAttempt({ db, acquirer, fraud }, row, { ...next, send }, at);
  }
  return chargePeriod({ db, acquirer, fraud }, row, next.attempt, at);
}

/**
 * A moving test clock stops at every due moment, and reaches its target when no further action is due. Returns undefined if
 * another process changed the row.
 */
async function finishClockMove(
  db: Database,
  row: SubscriptionRow,
  next: NextAction,
): Promise<SubscriptionRow | undefined> {
  // A payment that the payer can still make stops no clock.
  if (!row.clock_to || (row.open && next.do !== 'withdraw') || isDue(row, next)) return row;
  const ahead = Math.max(0, Math.ceil((row.clock_to.getTime() - realNow(row)) / 1000));
  const after = { ...row, clock_at: null, clock_to: null, clock_offset: Math.max(row.clock_offset, ahead) };
  const offset = Math.max(row.offset, after.clock_offset);
  const change = { before: row, after, lines: [], events: [], outbox: [] };
  return (await writeChange(db, change)) ? { ...after, offset, version: row.version + 1 } : undefined;
}
