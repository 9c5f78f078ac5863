import type { LiveRequest as LiveRequestModel, Prisma } from '../../../prisma/generated/client';
import type { Database } from '../../platform/database/connection';
import { omitUndefined } from '../../platform/database/omitUndefined';
import { ApiError } from '../../platform/errors';
import type { VaultKeys } from '../../platform/vault/keys';
import { seal } from '../../platform/vault/seal';
import { type Slice, sliced } from '../../schema/connections/window';
import { listWhere, newestFirst } from '../../schema/list';
import type { Context } from '../../schema/operation/context';
import { type AuditOrigin, auditEntry } from '../auditLog/entry';
import { type CheckedBusiness, checkBusiness, fromStored, type StoredBusiness, toStored } from './business';
import type { BusinessInput, LiveRequest, LiveRequestStatus, LiveRequestsArgs } from './fields';

export type LiveRequestRow = Omit<LiveRequestModel, 'status' | 'business'> & {
  status: LiveRequestStatus;
  business: StoredBusiness | null;
};

export const narrowRequest = (row: LiveRequestModel): LiveRequestRow => ({
  ...row,
  status: row.status as LiveRequestStatus,
  business: row.business as StoredBusiness | null,
});

export const livePageUrl = ({ page_origin, page_key }: LiveRequestRow): string => `${page_origin}/live/${page_key}`;

/** The URL of the page is a secret: anyone with it could complete the request. */
export const toLiveRequest = (row: LiveRequestRow, showsUrl: boolean): LiveRequest => ({
  ...row,
  url: showsUrl ? livePageUrl(row) : null,
  business: row.business && fromStored(row.business),
});

/** Returns the latest request, because earlier ones were rejected. */
export async function findLiveRequest({
  db,
  merchant_id,
}: Pick<Context, 'db' | 'merchant_id'>): Promise<LiveRequestRow> {
  const row = await db.liveRequest.findFirst({ where: { merchant_id }, orderBy: [...newestFirst] });
  if (!row) throw new ApiError('not_found', 'no_live_request');
  return narrowRequest(row);
}

/** For operators. */
export async function findOperatorRequest(db: Database, id: string): Promise<LiveRequest> {
  const row = await db.liveRequest.findUnique({ where: { id } });
  if (!row) throw new ApiError('not_found', 'unknown_request', { id });
  return toLiveRequest(narrowRequest(row), false);
}

export const liveRequestsWhere = ({ status, ...filters }: LiveRequestsArgs) => ({
  ...omitUndefined({ status }),
  ...listWhere(filters),
});

export async function listLiveRequests(
  db: Database,
  where: Prisma.LiveRequestWhereInput,
  slice: Slice,
): Promise<LiveRequest[]> {
  const rows = await db.liveRequest.findMany(sliced(where, slice));
  return rows.map(row => toLiveRequest(narrowRequest(row), false));
}

/** Without a business the request is a draft, completed on its page. */
export async function createLiveRequest(context: Context, input: BusinessInput | null): Promise<LiveRequestRow> {
  const { db, merchant_id, newId, publicUrl: page_origin, vault } = context;
  const row = { id: newId('live_request'), merchant_id, page_key: newId('page'), page_origin };
  const data = input
    ? { ...row, ...submitted(vault, row, checkBusiness(input)) }
    : { ...row, status: 'draft' as const };
  return db.$transaction(async tx => {
    const { count } = await tx.liveRequest.createMany({ data, skipDuplicates: true });
    const found = await tx.liveRequest.findUnique({ where: { id: row.id } });
    if (!found) return rejectSecond(tx, merchant_id);
    if (count > 0) await recordChange(tx, context, 'live_request.created', narrowRequest(found));
    return narrowRequest(found);
  });
}

async function rejectSecond(tx: Prisma.TransactionClient, merchant_id: string): Promise<never> {
  const approved = await tx.liveRequest.count({ where: { merchant_id, status: 'approved' } });
  throw new ApiError('not_allowed', approved ? 'already_live' : 'live_request_exists');
}

/** Completes or corrects a request that no operator is reviewing. */
export async function completeLiveRequest(
  { db, vault }: { db: Database; vault: VaultKeys },
  by: AuditOrigin,
  row: LiveRequestRow,
  input: BusinessInput,
): Promise<LiveRequestRow> {
  const checked = checkBusiness(input, row.business && fromStored(row.business));
  const data = { ...submitted(vault, row, checked), reason: null };
  return db.$transaction(async tx => {
    const where = { id: row.id, status: { in: ['draft', 'returned'] } };
    const [changed] = await tx.liveRequest.updateManyAndReturn({ where, data });
    if (!changed) throw new ApiError('not_allowed', 'live_request_unchangeable');
    await recordChange(tx, by, 'live_request.changed', narrowRequest(changed));
    return narrowRequest(changed);
  });
}

/** The columns of a complete request. */
function submitted(
  vault: VaultKeys,
  { id, merchant_id }: { id: string; merchant_id: string },
  { business, accountNumber }: CheckedBusiness,
) {
  const purpose = { what: 'account', merchant_id, id } as const;
  return {
    status: 'submitted' as const,
    submitted_at: new Date(),
    business: toStored(business) as unknown as Prisma.InputJsonObject,
    ...(accountNumber === undefined ? {} : { account_sealed: seal(vault, accountNumber, purpose) }),
  };
}

/** Writes the audit entry and queues the e-mails in the same transaction. */
async function recordChange(
  tx: Prisma.TransactionClient,
  by: AuditOrigin,
  action: 'live_request.created' | 'live_request.changed',
  { id, merchant_id, status, business }: LiveRequestRow,
): Promise<void> {
  const after = { status, ...(business && { legal_name: business.legal_name, nit: business.nit }) };
  await tx.auditEntry.create({ data: auditEntry(by, action, { object_id: id, after }, merchant_id) });
  if (status !== 'submitted') return;
  const kinds = ['live_submitted_mail', 'live_operator_mail'] as const;
  const { environment } = await tx.merchant.findUniqueOrThrow({ where: { id: merchant_id } });
  await tx.outbox.createMany({ data: kinds.map(kind => ({ kind, object_id: id, environment })) });
}
