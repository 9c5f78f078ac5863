/** A suspended merchant can read but not move money, and its subscriptions pause until it is resumed. */
import { Prisma } from '../../../prisma/generated/client';
import type { Environment } from '../../../prisma/generated/enums';
import { formatMoment } from '../../../workflows/calendar';
import { clockOf } from '../../platform/database/clock';
import type { Database } from '../../platform/database/connection';
import { wakeWorkers } from '../../platform/database/outbox';
import { ApiError } from '../../platform/errors';
import { newId } from '../../platform/identifiers';
import { type AuditOrigin, auditEntry } from '../auditLog/entry';

interface Suspension {
  suspended_at: Date | null;
  suspension_reason: string | null;
}

/** Minimum time left to an unpaid subscription if a test clock passed its deadline. */
const MIN_UNPAID_DAYS = 7;
/** Resuming moves the deadlines of many subscriptions. */
const RESUME_TIMEOUT_MS = 60_000;
const MAX_POSTPONED = 2000;

/** An SQL condition: the merchant of the alias `row` is not suspended. */
export const merchantIsActive = (row: string): Prisma.Sql =>
  Prisma.raw(`exists (select from merchants where merchants.id = ${row}.merchant_id and merchants.status = 'active')`);

export async function rejectSuspended(db: Prisma.TransactionClient, id: string): Promise<void> {
  const merchant = await db.merchant.findUnique({ where: { id }, select: { status: true } });
  if (merchant?.status === 'suspended') throw new ApiError('suspended');
}

export const suspendMerchant = (db: Database, by: AuditOrigin, id: string, reason: string): Promise<void> =>
  changeStatus(db, by, id, 'suspended', { suspended_at: new Date(), suspension_reason: reason });

export const resumeMerchant = (db: Database, by: AuditOrigin, id: string): Promise<void> =>
  changeStatus(db, by, id, 'active', { suspended_at: null, suspension_reason: null });

/** Writes the audit entry and the event; rejects a merchant that already has this status. */
async function changeStatus(
  db: Database,
  by: AuditOrigin,
  id: string,
  status: 'active' | 'suspended',
  suspension: Suspension,
): Promise<void> {
  const work = async (tx: Prisma.TransactionClient): Promise<void> => {
    const [before] = await tx.$queryRaw<(Suspension & { status: string; environment: Environment })[]>`
      select status::text, environment::text, suspended_at, suspension_reason from merchants where id = ${id} for no key update`;
    if (!before) throw new ApiError('not_found');
    // The same reason means a retry after a lost response.
    const { suspension_reason } = suspension;
    if (before.status === status && suspension_reason && before.suspension_reason === suspension_reason) return;
    if (before.status === status)
      throw new ApiError('not_allowed', status === 'active' ? 'not_suspended' : 'already_suspended');
    if (before.suspended_at) await postponeDeadlines(tx, Prisma.sql`s.merchant_id = ${id}`, before.suspended_at);
    await tx.merchant.update({ where: { id }, data: { status, ...suspension } });
    const action = status === 'active' ? 'merchant.resumed' : 'merchant.suspended';
    const after = suspension.suspension_reason === null ? {} : { reason: suspension.suspension_reason };
    await tx.auditEntry.create({ data: auditEntry(by, action, { object_id: id, after }, id) });
    await writeEvent(tx, id, action, { status, ...suspension });
    // Makes the workflows of its subscriptions read their rows again.
    await tx.outbox.create({ data: { kind: 'merchant', object_id: id, environment: before.environment } });
  };
  await db.$transaction(work, { timeout: RESUME_TIMEOUT_MS });
  await wakeWorkers(db);
}

async function writeEvent(
  tx: Prisma.TransactionClient,
  id: string,
  type: string,
  { suspended_at, ...merchant }: Suspension & { status: string },
): Promise<void> {
  const { now: creation_date } = await clockOf(tx, id, null);
  const object = { id, ...merchant, suspended_at: suspended_at && formatMoment(suspended_at.getTime()) };
  await tx.event.create({ data: { id: newId('event'), merchant_id: id, type, object_id: id, object, creation_date } });
}

/**
 * Gives the unpaid subscriptions `s` that match `condition` the time that they had left at the pause, or a minimum if a test
 * clock has moved past it. Works in batches, because an SQL statement of the API may take at most five seconds.
 */
export async function postponeDeadlines(
  tx: Prisma.TransactionClient,
  condition: Prisma.Sql,
  since: Date,
): Promise<void> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const postponed: { id: string }[] = await tx.$queryRaw`
      with unpaid as (
        select s.id, now() + make_interval(secs => greatest(m.clock_offset, c.clock_offset, s.clock_offset)) as now
        from subscriptions s join merchants m on m.id = s.merchant_id join customers c on c.id = s.customer_id
        where ${condition} and s.status = 'unpaid' and s.id > ${last} order by s.id limit ${MAX_POSTPONED}
      ), postponed as (
        update subscriptions set version = subscriptions.version + 1, due_at = case
          when due_at + (now() - ${since}) > unpaid.now then due_at + (now() - ${since})
          else unpaid.now + make_interval(days => ${MIN_UNPAID_DAYS}) end
        from unpaid where subscriptions.id = unpaid.id and subscriptions.status = 'unpaid'
      )
      select max(id) as id from unpaid having count(*) = ${MAX_POSTPONED}`;
    last = postponed[0]?.id;
  }
}
