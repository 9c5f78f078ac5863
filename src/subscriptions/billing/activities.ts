/**
 * What a subscription's workflow calls: whatever its row says is due. Each call may run twice, late, or beside another.
 */
import { nextAction } from '../../../workflows/billing';
import type { SubscriptionActivities, SubscriptionSnapshot } from '../../../workflows/contract';
import type { BillingEvent } from '../../../workflows/state';
import type { Acquirers } from '../../acquirer/acquirers';
import type { Database } from '../../database/connection';
import { clockNow, findVisible, reloadSubscription, type SubscriptionRow, stateOf } from '../rows';
import { cancelSubscription } from '../update';
import { applyEvent } from './applyEvent';
import { type BillingStep, chargePeriod, clockColumns, resolveAttempt } from './attempt';
import { INVISIBLE_SNAPSHOT, isDue, snapshotOf } from './snapshot';
import { writeChange } from './updateRows';

export function subscriptionActivities(db: Database, acquirers: Acquirers): SubscriptionActivities {
  const doWhatIsDue = async (id: string): Promise<SubscriptionSnapshot> => {
    const before = await findVisible(db, id);
    if (!before) return INVISIBLE_SNAPSHOT;
    const step = await takeStep(db, acquirers, before);
    if (step) {
      const { row, lines } = await finishClockMove(db, step);
      return snapshotOf(row, lines);
    }
    const row = await reloadSubscription(db, id);
    // Temporal retries, with pauses, and shows the failure to operators.
    if (row.version === before.version) throw new Error(`${id} cannot be charged: its card is gone`);
    return snapshotOf(row);
  };
  const cancelByOperator = async (id: string): Promise<SubscriptionSnapshot> => {
    await cancelSubscription(db, id, 'cancelled_by_operator');
    const row = await findVisible(db, id);
    return row ? snapshotOf(row) : INVISIBLE_SNAPSHOT;
  };
  return {
    charge: doWhatIsDue,
    retry: doWhatIsDue,
    askAcquirer: doWhatIsDue,
    cancel: doWhatIsDue,
    catchUp: doWhatIsDue,
    proceed: doWhatIsDue,
    cancelByOperator,
  };
}

/** Undefined if another process changed the row first. */
async function takeStep(db: Database, acquirers: Acquirers, row: SubscriptionRow): Promise<BillingStep | undefined> {
  const next = nextAction(stateOf(row));
  if (next.do === 'nothing') return { row, lines: [] };
  if (row.customer_status !== 'active' && row.status !== 'cancelled')
    return applyAndWrite(db, row, { type: 'cancel', reason: 'customer_deleted' });
  if (!isDue(row)) return { row, lines: [] };
  const acquirer = acquirers[row.environment];
  if (!acquirer) throw new Error(`This worker knows no acquirer of the ${row.environment} environment`);
  const at = row.clock_at ? Math.max(row.clock_at.getTime(), next.do === 'resolve' ? 0 : next.at) : clockNow(row);
  if (next.do === 'resolve') return resolveAttempt({ db, acquirer }, row, next, at);
  if (next.do === 'charge') return chargePeriod({ db, acquirer }, row, next.attempt, at);
  return applyAndWrite(db, { ...row, ...clockColumns(row, at) }, { type: 'cancel', reason: next.reason });
}

async function applyAndWrite(
  db: Database,
  row: SubscriptionRow,
  event: BillingEvent,
): Promise<BillingStep | undefined> {
  const change = applyEvent(row, event);
  return (await writeChange(db, change))
    ? { row: { ...change.after, version: row.version + 1 }, lines: change.lines }
    : undefined;
}

/** A moved test clock stops at every due moment on its way; with nothing more due it has reached its target. */
async function finishClockMove(db: Database, step: BillingStep): Promise<BillingStep> {
  const { row, lines } = step;
  if (!row.clock_to || row.open || isDue(row)) return step;
  const ahead = Math.max(0, Math.ceil((row.clock_to.getTime() - Date.now()) / 1000));
  const after = { ...row, clock_at: null, clock_to: null, clock_offset: Math.max(row.clock_offset, ahead) };
  const offset = Math.max(row.offset, after.clock_offset);
  const change = { before: row, after, lines: [], events: [], outbox: [] };
  return (await writeChange(db, change))
    ? { row: { ...after, offset, version: row.version + 1 }, lines }
    : { row: await reloadSubscription(db, row.id), lines };
}
