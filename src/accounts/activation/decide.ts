/** Operators decide on requests to go live. Each decision is one transaction, which two at once cannot both make. */
import type { Prisma } from '../../../prisma/generated/client';
import type { Database } from '../../platform/database/connection';
import type { OutboxKind } from '../../platform/database/outbox';
import { ApiError } from '../../platform/errors';
import { type AuditOrigin, auditEntry } from '../auditLog/entry';
import type { LiveRequest, LiveRequestStatus } from './fields';
import { type LiveRequestRow, narrowRequest, toLiveRequest } from './rows';

/** Asks the merchant for more information. */
export const returnLiveRequest = (db: Database, by: AuditOrigin, id: string, reason: string): Promise<LiveRequest> =>
  decide(db, by, id, {
    from: ['submitted'],
    data: { status: 'returned', reason },
    action: 'live_request.returned',
    after: { reason },
    mail: 'live_returned_mail',
  });

/** The merchant may submit another request. */
export const refuseLiveRequest = (db: Database, by: AuditOrigin, id: string, reason: string): Promise<LiveRequest> =>
  decide(db, by, id, {
    from: ['submitted', 'returned'],
    data: { status: 'refused', reason, decided_at: new Date() },
    action: 'live_request.refused',
    after: { reason },
    mail: 'live_refused_mail',
  });

/** Columns of the sandbox merchant that are not copied to the production merchant. */
const NOT_TAKEN_OVER = {
  id: true,
  environment: true,
  status: true,
  creation_date: true,
  cost_rate: true,
  cost_fixed: true,
  clock_offset: true,
  suspended_at: true,
  suspension_reason: true,
  fraud_presets: true,
} as const;

/**
 * Creates the production merchant with this ID. It has no keys until its owner collects them. The reason is only for the
 * audit log.
 */
export const approveLiveRequest = (
  db: Database,
  by: AuditOrigin,
  id: string,
  production_merchant_id: string,
  reason?: string,
): Promise<LiveRequest> =>
  decide(db, by, id, {
    from: ['submitted'],
    data: { status: 'approved', production_merchant_id, decided_at: new Date() },
    action: 'live_request.approved',
    after: { production_merchant_id, ...(reason && { reason }) },
    mail: 'live_approved_mail',
    opens: production_merchant_id,
  });

async function openMerchant(
  tx: Prisma.TransactionClient,
  by: AuditOrigin,
  { merchant_id, business }: LiveRequestRow,
  id: string,
): Promise<void> {
  const { phone, ...profile } = await tx.merchant.findUniqueOrThrow({
    where: { id: merchant_id },
    omit: NOT_TAKEN_OVER,
  });
  await tx.merchant.create({
    data: { ...profile, id, environment: 'production', phone: phone ?? business?.support_phone ?? null },
  });
  await tx.auditEntry.create({ data: auditEntry(by, 'merchant.created', { object_id: id }, id) });
}

interface LiveRequestDecision {
  from: readonly LiveRequestStatus[];
  data: Prisma.LiveRequestUncheckedUpdateInput;
  action: 'live_request.returned' | 'live_request.approved' | 'live_request.refused';
  after: Prisma.InputJsonObject;
  mail: OutboxKind<'mail'>;
  /** The production merchant, by which a retry recognises its own decision. */
  opens?: string;
}

async function decide(
  db: Database,
  by: AuditOrigin,
  id: string,
  { from, data, action, after, mail, opens }: LiveRequestDecision,
): Promise<LiveRequest> {
  const before = await db.liveRequest.findUnique({
    where: { id },
    include: { merchant: { select: { status: true, environment: true } } },
  });
  if (!before) throw new ApiError('not_found', 'unknown_request', { id });
  const { merchant_id, merchant, status } = before;
  if (action === 'live_request.approved' && merchant.status === 'suspended')
    throw new ApiError('not_allowed', 'sandbox_suspended');
  const change = { object_id: id, before: { status }, after };
  const done = await db.$transaction(async tx => {
    // Locks the row, so that of two decisions one finds that it was made.
    const where = { id, status: { in: [...from] } };
    const [locked] = await tx.liveRequest.updateManyAndReturn({ where, data: { id } });
    if (!locked) return false;
    if (opens !== undefined) await openMerchant(tx, by, narrowRequest(locked), opens);
    await tx.liveRequest.update({ where: { id }, data });
    await tx.auditEntry.create({ data: auditEntry(by, action, change, merchant_id) });
    await tx.outbox.create({ data: { kind: mail, object_id: id, environment: merchant.environment } });
    return true;
  });
  const row = narrowRequest(await db.liveRequest.findUniqueOrThrow({ where: { id } }));
  const isOpened = opens !== undefined && row.production_merchant_id === opens;
  // The same decision for the same reason is a retry after a lost response.
  const isRepeated = after.reason !== undefined && action.endsWith(`.${row.status}`) && row.reason === after.reason;
  const isDone = done || isOpened || isRepeated;
  if (!isDone) throw new ApiError('not_allowed', 'request_status', { status: row.status, expected: from.join(' or ') });
  return toLiveRequest(row, false);
}
