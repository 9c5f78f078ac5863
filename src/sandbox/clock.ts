/**
 * Test clocks: advance the time of a merchant, a customer or a subscription. Everything due in between happens in order
 * and with its own dates. The move is stored, each subscription's workflow carries it out, and the request waits.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Prisma } from '../../prisma/generated/client';
import type { ClockMoveModel as ClockMove } from '../../prisma/generated/models';
import type { Database } from '../platform/database/connection';
import { SANDBOX } from '../platform/database/environments';
import { lockName } from '../platform/database/locks';
import { insertOutbox, wakeWorkers } from '../platform/database/outbox';
import { idsOf, statement } from '../platform/database/rows';
import { ApiError } from '../platform/errors';
import { findPollers } from '../platform/temporal';
import type { Context } from '../schema/operation/context';
import { expiresBy, loadProgress, loadWaiting } from './clockProgress';
import { type ClockOwner, type ClockScope, scopeOf } from './clockScope';
import type { Clock } from './fields';
import { orderSettlement } from './orderSettlement';

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
      await orderSettlement(context, scope, to);
      return { now: to };
    }
    if (!isSameMove && to < new Date(Math.floor(scope.now.getTime() / 1000) * 1000))
      throw new ApiError('invalid_value', 'before_clock', { field: 'to' });
    const progress = await loadProgress(db, scope, latest?.target);
    if (isSameMove && latest?.begun && progress.pending === 0) {
      await orderSettlement(context, scope, to);
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
    const moved_subscriptions = Prisma.sql`
      update subscriptions s set version = version + 1, clock_to = ${target},
        clock_at = now() + make_interval(secs => greatest(m.clock_offset, c.clock_offset, s.clock_offset))
      from merchants m, customers c where m.id = s.merchant_id and c.id = s.customer_id and s.id in (
        select s.id from subscriptions s join merchants m on m.id = s.merchant_id join customers c on c.id = s.customer_id
        where ${subscriptions} and s.clock_to is null and (s.status not in ('new', 'cancelled') or (s.status = 'cancelled' and s.open is not null))
          and now() + make_interval(secs => greatest(m.clock_offset, c.clock_offset, s.clock_offset)) < ${target}
        limit ${MAX_BATCH_ROWS})
      returning s.id`;
    const movedCount = await tx.$executeRaw(
      statement(
        { moved_subscriptions },
        insertOutbox('nudge', idsOf('moved_subscriptions'), { environment: SANDBOX, inTurns: true }),
      ),
    );
    const isLastBatch = movedCount < MAX_BATCH_ROWS;
    if (isLastBatch) await shiftOwnerClock(tx, scope, target);
    const expiries = isLastBatch
      ? await tx.$queryRaw<{ count: bigint }[]>`
          select count(*) from transactions t where ${expiresBy(charges, target)}`
      : [];
    const total = move.total + movedCount + Number(expiries[0]?.count ?? 0);
    await tx.clockMove.update({ where: { scope: id }, data: { total, begun: isLastBatch } });
    if (isLastBatch && ownerTable) await announceExpiries(tx, charges, target);
  });
}

/** Ends expired transactions, and notifies the workflows of the others of their shorter wait. */
async function announceExpiries(tx: Prisma.TransactionClient, charges: Prisma.Sql, target: Date): Promise<void> {
  const waiting = Prisma.sql`
    select id from transactions t where ${charges} and t.transaction_type = 'charge'
      and t.progress in ('authorized', 'pending', 'paying')`;
  await tx.$executeRaw(
    insertOutbox('due_expiry', Prisma.sql`${waiting} and t.expires_at <= ${target} order by t.expires_at, t.id`, {
      environment: SANDBOX,
    }),
  );
  await tx.$executeRaw(
    insertOutbox('expiry', Prisma.sql`${waiting} and t.expires_at > ${target}`, { environment: SANDBOX }),
  );
}

/** A subscription's workflow moves its own clock; this moves it only after the workflow ended. */
const shiftOwnerClock = (
  tx: Prisma.TransactionClient,
  { id, ownerTable }: ClockScope,
  target: Date,
): Promise<number> => tx.$executeRaw`
  update ${Prisma.raw(ownerTable ?? 'subscriptions')}
  set clock_offset = greatest(clock_offset, ceil(extract(epoch from ${target}::timestamptz - now()))::integer)
  where id = ${id} and ${ownerTable ? Prisma.sql`true` : Prisma.sql`status = 'cancelled' and open is null`}`;
