/** What a subscription's workflow has done: whatever its row says is due. Each may run twice, late, or beside another. */

import { nextAction } from '../../../workflows/billing';
import { dayOf } from '../../../workflows/calendar';
import type { SubscriptionActivities, SubscriptionSnapshot } from '../../../workflows/contract';
import type { Acquirers } from '../../acquirer/open';
import { nextChangeId } from '../../database/changeId';
import type { Database } from '../../database/connection';
import { clockNow, reloadSubscription, type SubscriptionRow, stateOf, subscriptionById } from '../rows';
import { cancelSubscription } from '../update';
import { describeNextAction, formatLine } from '../wording';
import { applyEvent, type HistoryLine } from './applyEvent';
import { type BillingStep, chargePeriod, clockColumns, resolveAttempt } from './attempt';
import { writeChange } from './updateRows';

export const subscriptionActivities = (db: Database, acquirers: Acquirers): SubscriptionActivities => ({
  async proceed(id) {
    const before = await findBegun(db, id);
    if (!before) return NOT_BEGUN;
    const done = await proceed(db, acquirers, before);
    if (done) return snapshotOf(await finishClockMove(db, done));
    const row = await reloadSubscription(db, id);
    // Temporal tries again, with pauses, and shows it to operators.
    if (row.version === before.version) throw new Error(`${id} cannot be charged: its card is gone`);
    return snapshotOf({ row, lines: [] });
  },

  async cancelByOperator(id) {
    await cancelSubscription(db, id, 'cancelled_by_operator');
    const row = await findBegun(db, id);
    return row ? snapshotOf({ row, lines: [] }) : NOT_BEGUN;
  },
});

/** What waits for its first charge is for the request that made it. */
async function findBegun(db: Database, id: string): Promise<SubscriptionRow | undefined> {
  const row = await subscriptionById(db, id);
  return row?.status === 'new' ? undefined : row;
}

const NOT_BEGUN: SubscriptionSnapshot = {
  status: 'new',
  current_period_number: 0,
  next: 'nothing, it has not begun',
  wake_at: 0,
  until: '',
  next_charge_at: null,
  over: 'not_begun',
  lines: [],
};

/** Does what is due, if something is. Undefined where somebody else was faster. */
async function proceed(db: Database, acquirers: Acquirers, row: SubscriptionRow): Promise<BillingStep | undefined> {
  const todo = nextAction(stateOf(row));
  if (todo.do === 'nothing') return { row, lines: [] };
  if (row.customer_status !== 'active' && row.status !== 'cancelled')
    return applyAndWrite(db, row, { type: 'cancel', reason: 'customer_deleted' });
  if (!isDue(row)) return { row, lines: [] };
  const acquirer = acquirers[row.environment];
  if (!acquirer) throw new Error(`This worker knows no acquirer of the ${row.environment} environment`);
  const at = row.clock_at ? Math.max(row.clock_at.getTime(), todo.do === 'resolve' ? 0 : todo.at) : clockNow(row);
  if (todo.do === 'resolve') return resolveAttempt({ db, acquirer }, row, todo, at);
  if (todo.do === 'charge') return chargePeriod({ db, acquirer }, row, todo.attempt, at);
  return applyAndWrite(db, { ...row, ...clockColumns(row, at) }, { type: 'cancel', reason: todo.reason });
}

async function applyAndWrite(
  db: Database,
  row: SubscriptionRow,
  happening: Parameters<typeof applyEvent>[1],
  more: Parameters<typeof applyEvent>[2] = {},
): Promise<BillingStep | undefined> {
  const change = applyEvent(row, happening, more);
  return (await writeChange(db, change))
    ? { row: { ...change.after, version: row.version + 1 }, lines: change.lines }
    : undefined;
}

/** Of a customer who was deleted. */
export async function cancelSubscriptionsOf(db: Database, customer_id: string): Promise<void> {
  const live = await db.subscription.findMany({
    where: { customer_id, status: { notIn: ['new', 'cancelled'] } },
    select: { id: true },
  });
  for (const { id } of live) await cancelSubscription(db, id, 'customer_deleted');
}

/** A clock that was moved and meets nothing more on its way is where it was to go. */
async function finishClockMove(db: Database, step: BillingStep): Promise<BillingStep> {
  const { row, lines } = step;
  if (!row.clock_to || row.open || isDue(row)) return step;
  const ahead = Math.max(0, Math.ceil((row.clock_to.getTime() - Date.now()) / 1000));
  const after = { ...row, clock_at: null, clock_to: null, clock_offset: Math.max(row.clock_offset, ahead) };
  const offset = Math.max(row.offset, after.clock_offset);
  const written = await writeChange(db, {
    changeId: nextChangeId(),
    before: row,
    after,
    lines: [],
    events: [],
    nudge: false,
  });
  return written
    ? { row: { ...after, offset, version: row.version + 1 }, lines }
    : { row: await reloadSubscription(db, row.id), lines };
}

/** An acquirer that gave no answer is asked again in real time, whatever a test clock says. */
function isDue(row: SubscriptionRow): boolean {
  const todo = nextAction(stateOf(row));
  if (todo.do === 'nothing') return false;
  if (todo.do === 'resolve') return todo.at <= Date.now();
  return todo.at <= (row.clock_to?.getTime() ?? clockNow(row));
}

export function snapshotOf({ row, lines }: { row: SubscriptionRow; lines: HistoryLine[] }): SubscriptionSnapshot {
  const state = stateOf(row);
  const todo = nextAction(state);
  const over = todo.do === 'nothing' && !row.clock_to;
  const at = todo.do === 'nothing' ? 0 : todo.at;
  const wake_at = todo.do === 'resolve' ? at : row.clock_to || todo.do === 'nothing' ? 0 : at - row.offset * 1000;
  return {
    status: row.status,
    current_period_number: row.current_period_number,
    next: describeNextAction(state),
    wake_at: Math.max(0, wake_at),
    until: dayOf(todo.do === 'resolve' ? at + row.offset * 1000 : Math.max(at, clockNow(row))),
    next_charge_at: todo.do === 'charge' ? Math.max(at, row.due_at.getTime()) : null,
    over: over ? todo.reason : null,
    lines: lines.map(formatLine),
  };
}
