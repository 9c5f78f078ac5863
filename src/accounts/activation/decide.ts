/** Operators decide on requests for production access. Each decision is one SQL statement, so only one can succeed. */
import { Prisma } from '../../../prisma/generated/client';
import { columnTypes } from '../../../prisma/generated/columnTypes';
import type { Database } from '../../platform/database/connection';
import { insertOutbox, type OutboxKind } from '../../platform/database/outbox';
import { idsOf, statement } from '../../platform/database/rows';
import { ApiError } from '../../platform/errors';
import { type AuditOrigin, auditEntry, insertAudit } from '../auditLog/entry';
import type { LiveRequest, LiveRequestStatus } from './fields';
import { narrowRequest, toLiveRequest } from './rows';

/** Asks the merchant for more information. */
export const returnLiveRequest = (db: Database, by: AuditOrigin, id: string, reason: string): Promise<LiveRequest> =>
  decide(db, by, id, {
    from: ['submitted'],
    set: Prisma.sql`status = 'returned', reason = ${reason}`,
    action: 'live_request.returned',
    after: { reason },
    mail: 'live_returned_mail',
  });

/** The merchant may submit another request. */
export const refuseLiveRequest = (db: Database, by: AuditOrigin, id: string, reason: string): Promise<LiveRequest> =>
  decide(db, by, id, {
    from: ['submitted', 'returned'],
    set: Prisma.sql`status = 'refused', reason = ${reason}, decided_at = now()`,
    action: 'live_request.refused',
    after: { reason },
    mail: 'live_refused_mail',
  });

/** Columns that a production merchant does not copy from its sandbox merchant. */
const NOT_COPIED = [
  'id',
  'environment',
  'status',
  'creation_date',
  'cost_rate',
  'cost_fixed',
  'clock_offset',
  'phone',
  'suspended_at',
  'suspension_reason',
  'fraud_presets',
];
const PROFILE = Prisma.raw(
  Object.keys(columnTypes.merchants)
    .filter(name => !NOT_COPIED.includes(name))
    .join(', '),
);

/** Creates the production merchant with this ID. It has no keys until its owner collects them. */
export const approveLiveRequest = (
  db: Database,
  by: AuditOrigin,
  id: string,
  production_merchant_id: string,
): Promise<LiveRequest> =>
  decide(db, by, id, {
    from: ['submitted'],
    set: Prisma.sql`status = 'approved', production_merchant_id = ${production_merchant_id}, decided_at = now()`,
    action: 'live_request.approved',
    after: { production_merchant_id },
    mail: 'live_approved_mail',
    opens: production_merchant_id,
    parts: {
      opened: Prisma.sql`
        insert into merchants (id, environment, phone, ${PROFILE})
        select ${production_merchant_id}, 'production', coalesce(phone, (select business->>'support_phone' from decided)),
          ${PROFILE}
        from merchants where id in (select merchant_id from decided)`,
      opening: insertAudit(
        [auditEntry(by, 'merchant.created', { object_id: production_merchant_id }, production_merchant_id)],
        idsOf('decided'),
      ),
    },
  });

interface LiveRequestDecision {
  from: readonly LiveRequestStatus[];
  set: Prisma.Sql;
  action: 'live_request.returned' | 'live_request.approved' | 'live_request.refused';
  after: Prisma.InputJsonObject;
  mail: OutboxKind<'mail'>;
  /** The production merchant, by which a retry recognises its own decision. */
  opens?: string;
  parts?: Record<string, Prisma.Sql>;
}

async function decide(
  db: Database,
  by: AuditOrigin,
  id: string,
  { from, set, action, after, mail, opens, parts = {} }: LiveRequestDecision,
): Promise<LiveRequest> {
  const before = await db.liveRequest.findUnique({
    where: { id },
    include: { merchant: { select: { status: true } } },
  });
  if (!before) throw new ApiError('not_found', 'unknown_request', { id });
  const { merchant_id, merchant, status } = before;
  if (action === 'live_request.approved' && merchant.status === 'suspended')
    throw new ApiError('not_allowed', 'sandbox_suspended');
  const change = { object_id: id, before: { status }, after };
  const decided = Prisma.sql`update live_requests set ${set}
    where id = ${id} and status = any(${[...from]}::varchar[]) returning id, merchant_id, business`;
  const [done] = await db.$queryRaw<{ id: string }[]>(
    statement(
      {
        decided,
        ...parts,
        noted: insertAudit([auditEntry(by, action, change, merchant_id)], idsOf('decided')),
        announced: insertOutbox(mail, Prisma.sql`select id, merchant_id from decided`),
      },
      idsOf('decided'),
    ),
  );
  const row = narrowRequest(await db.liveRequest.findUniqueOrThrow({ where: { id } }));
  const isOpened = opens !== undefined && row.production_merchant_id === opens;
  // The same decision for the same reason is a retry after a lost response.
  const isRepeated = after.reason !== undefined && action.endsWith(`.${row.status}`) && row.reason === after.reason;
  const isDone = done || isOpened || isRepeated;
  if (!isDone) throw new ApiError('not_allowed', 'request_status', { status: row.status, expected: from.join(' or ') });
  return toLiveRequest(row, false);
}
