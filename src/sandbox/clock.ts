/**
 * Test clocks: advance the time of a merchant, a customer or a subscription. Everything due in between happens in order
 * and with its own dates. The move is stored, each subscription's workflow carries it out, and the request waits.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClockMoveModel as ClockMove } from '../../prisma/generated/models';
import { queueRemindersOf } from '../notifications/email/payer/rows';
import type { Database } from '../platform/database/connection';
import { lockName } from '../platform/database/locks';
import { wakeWorkers } from '../platform/database/outbox';
import { ApiError } from '../platform/errors';
import { findPollers } from '../platform/temporal';
import type { Context } from '../schema/operation/context';
import { loadWaiting } from './clockProgress';
import { type ClockOwner, scopeOf } from './clockScope';
import type { Clock } from './fields';
import { requestSettlement } from './requestSettlement';
import {
  announceExpiries,
  type ClockScope,
  countExpiries,
  loadProgress,
  moveSubscriptions,
  shiftOwnerClock,
} from './rows';

const MAX_WAIT_MS = 20_000;
const TEMPORAL_TIMEOUT_MS = 2000;
/** Grows with the number of pending subscriptions, because counting them is expensive. */
const POLL_INTERVAL_MS = 100;
const MAX_POLL_INTERVAL_MS = 1000;
const MAX_BATCH_ROWS = 2000;
/** Keeps the offset column, an integer of seconds, in range. */
const MAX_YEARS_AHEAD = 50;

/**
 * A repeated request with the same target waits for the same move. A request with another target waits until that move
 * ends.
 */
export async function moveClock(context: Context, owner: ClockOwner, to: Date): Promise<Clock> {
  const { db, temporal } = context;
  const deadline = Date.now() + MAX_WAIT_MS;
  if (to.getTime() > Date.now() + MAX_YEARS_AHEAD * 365 * 86_400_000)
    throw new ApiError('invalid_value', 'too_many_years_ahead', { field: 'to', max: MAX_YEARS_AHEAD });
  let isTemporalUp = false;
  for (let isWaiting = false; ; ) {
    const scope = await scopeOf(context, owner);
    const latest = await db.clockMove.findUnique({ where: { scope: scope.id } });
    const isSameMove = latest?.target.getTime() === to.getTime() && !wasOvertaken(scope, latest);
    // A different move can start only after this one ended.
    if (isWaiting && !isSameMove) {
      await afterMove(context, scope, to);
      return { now: to };
    }
    if (!isSameMove && to < new Date(Math.floor(scope.now.getTime() / 1000) * 1000))
      throw new ApiError('invalid_value', 'before_clock', { field: 'to' });
    const progress = await loadProgress(db, scope, latest?.target);
    if (isSameMove && latest?.begun && progress.pending === 0) {
      await afterMove(context, scope, to);
      return { now: isWaiting ? to : scope.now };
    }
    isTemporalUp ||= Boolean(await findPollers(temporal, TEMPORAL_TIMEOUT_MS));
    if (!isTemporalUp) throw new ApiError('unavailable', 'temporal_unreachable');
    isWaiting ||= isSameMove;
    if (latest && !latest.begun) {
      await applyMove(context, scope);
      await wakeWorkers(db);
    } else if (progress.pending === 0) isWaiting = await proposeMove(db, scope, to, latest);
    else if (Date.now() > deadline) {
      const total = Math.max(isSameMove ? latest.total : 0, progress.pending);
      const waiting_for = await loadWaiting(db, scope, latest?.target ?? to);
      return { now: progress.now ?? scope.now, to, done: total - progress.pending, total, waiting_for };
    } else
      await context.yieldSlotWhile(() => sleep(Math.min(POLL_INTERVAL_MS + progress.pending, MAX_POLL_INTERVAL_MS)));
  }
}

async function afterMove(context: Context, scope: ClockScope, to: Date): Promise<void> {
  await queueRemindersOf(context.db, context.merchant_id);
  await requestSettlement(context, scope, to);
}

/** Whether a move of a larger scope has advanced this clock further. */
const wasOvertaken = ({ now }: ClockScope, { target, creation_date }: ClockMove): boolean =>
  now.getTime() > target.getTime() + (Date.now() - creation_date.getTime()) + 2000;

export async function readClock(context: Context, owner: ClockOwner): Promise<Clock> {
  return { now: (await scopeOf(context, owner)).now };
}

/** False if another request stored a move first. */
async function proposeMove(
  db: Database,
  { id: scope }: ClockScope,
  target: Date,
  latest: ClockMove | null,
): Promise<boolean> {
  const move = { target, total: 0, begun: false, creation_date: new Date() };
  if (latest) {
    const where = { scope, target: latest.target, creation_date: latest.creation_date };
    return (await db.clockMove.updateMany({ where, data: move })).count > 0;
  }
  return (await db.clockMove.createMany({ data: [{ scope, ...move }], skipDuplicates: true })).count > 0;
}

/**
 * Applies the stored move to the next batch of subscriptions, and to the owner's clock after the last batch. A later
 * request continues after a crash.
 */
function applyMove({ db, merchant_id }: Context, scope: ClockScope): Promise<void> {
  const { id, subscriptions, charges, ownerTable } = scope;
  return db.$transaction(async tx => {
    await lockName(tx, `clock ${merchant_id}`);
    const move = await tx.clockMove.findUnique({ where: { scope: id } });
    if (!move || move.begun) return;
    const { target } = move;
    const movedCount = await moveSubscriptions(tx, subscriptions, target, MAX_BATCH_ROWS);
    const isLastBatch = movedCount < MAX_BATCH_ROWS;
    if (isLastBatch) await shiftOwnerClock(tx, scope, target);
    const expiries = isLastBatch ? await countExpiries(tx, charges, target) : 0;
    const total = move.total + movedCount + expiries;
    await tx.clockMove.update({ where: { scope: id }, data: { total, begun: isLastBatch } });
    if (isLastBatch && ownerTable) await announceExpiries(tx, charges, target);
  });
}
