/** An operator suspends a merchant: it reads on, but moves no money, and its subscriptions pause until it is resumed. */
import type { Prisma } from '../../../prisma/generated/client';
import { formatMoment } from '../../../workflows/calendar';
import { clockOf } from '../../platform/database/clock';
import type { Database } from '../../platform/database/connection';
import { wakeWorkers } from '../../platform/database/outbox';
import { ApiError } from '../../platform/errors';
import { newId } from '../../platform/identifiers';
import { type AuditOrigin, auditEntry } from '../auditLog/entry';
import { lockMerchant, postponeDeadlines, whereMerchant } from './rows';

interface Suspension {
  suspended_at: Date | null;
  suspension_reason: string | null;
}

/** The deadlines of many subscriptions are moved. */
const RESUME_TIMEOUT_MS = 60_000;

export async function rejectSuspended(db: Prisma.TransactionClient, id: string): Promise<void> {
  const merchant = await db.merchant.findUnique({ where: { id }, select: { status: true } });
  if (merchant?.status === 'suspended') throw new ApiError('suspended');
}

export const suspendMerchant = (db: Database, by: AuditOrigin, id: string, reason: string): Promise<void> =>
  changeStatus(db, by, id, 'suspended', { suspended_at: new Date(), suspension_reason: reason });

/** The reason is only for the audit log. */
export const resumeMerchant = (db: Database, by: AuditOrigin, id: string, reason?: string): Promise<void> =>
  changeStatus(db, by, id, 'active', { suspended_at: null, suspension_reason: null }, reason);

/** Writes the audit entry and the event; rejects a merchant that already has this status. */
async function changeStatus(
  db: Database,
  by: AuditOrigin,
  id: string,
  status: 'active' | 'suspended',
  suspension: Suspension,
  reason = suspension.suspension_reason,
): Promise<void> {
  const work = async (tx: Prisma.TransactionClient): Promise<void> => {
    if (!(await lockMerchant(tx, id))) throw new ApiError('not_found');
    const before = await tx.merchant.findUniqueOrThrow({ where: { id } });
    // For the same reason: a repeated request, whose first answer was lost.
    const { suspension_reason } = suspension;
    if (before.status === status && suspension_reason && before.suspension_reason === suspension_reason) return;
    if (before.status === status)
      throw new ApiError('not_allowed', status === 'active' ? 'not_suspended' : 'already_suspended');
    if (before.suspended_at) await postponeDeadlines(tx, whereMerchant(id), before.suspended_at);
    await tx.merchant.update({ where: { id }, data: { status, ...suspension } });
    const action = status === 'active' ? 'merchant.resumed' : 'merchant.suspended';
    const after = reason === null ? {} : { reason };
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
