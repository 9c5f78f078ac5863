import type { Prisma } from '../../../prisma/generated/client';
import type { SessionModel } from '../../../prisma/generated/models';
import type { Database } from '../../platform/database/connection';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import type { Context } from '../../schema/operation/context';
import { type AuditOrigin, auditEntry } from '../auditLog/entry';
import { hashKey, seededKey } from '../merchants/keys';
import type { Session } from './fields';

/** Limit of active sessions, high enough for one per visiting customer of a shop. */
const MAX_SESSIONS_PER_MERCHANT = 10_000;
const MINUTE_MS = 60_000;

type SessionRow = SessionModel;

/** `merchant_id` and the actor, a key, are those of the request. */
type SessionMaker = Pick<Context, 'db' | 'merchant_id' | 'vault' | 'keySecret' | 'newId'> & AuditOrigin;

interface NewSession {
  key_id: string;
  customer_id: string | null;
  scope: string[];
  origins: string[];
  sign_in: 'first' | 'repeated' | null;
  minutes: number;
}

const toSession = (row: SessionRow, last_used_at: Date | null = null): Session => ({
  id: row.id,
  key_id: row.key_id,
  customer_id: row.customer_id,
  scope: row.scope,
  origins: row.origins,
  creation_date: row.creation_date,
  expires_at: row.expires_at,
  revoked_at: row.revoked_at,
  last_used_at,
});

export async function findSession(
  { db, merchant_id }: Pick<Context, 'db' | 'merchant_id'>,
  id: string,
): Promise<SessionRow> {
  const row = isId(id) ? await db.session.findUnique({ where: { id, merchant_id } }) : null;
  if (!row) throw new ApiError('not_found');
  return row;
}

/** Adds the date of the last use. */
export async function showSessions(db: Database, rows: readonly SessionRow[]): Promise<Session[]> {
  const uses = await db.keyUse.findMany({ where: { key_id: { in: rows.map(({ id }) => id) } } });
  const usedAt = new Map(uses.map(({ key_id, used_at }) => [key_id, used_at]));
  return rows.map(row => toSession(row, usedAt.get(row.id) ?? null));
}

/** A retry finds the session that it created, and returns its token again. */
export async function createSession(
  context: SessionMaker,
  { minutes, ...session }: NewSession,
): Promise<Session & { token: string }> {
  const { db, merchant_id, keySecret } = context;
  const token = seededKey('session', context);
  const id = context.newId('session');
  return db.$transaction(async tx => {
    const existing = await tx.session.findUnique({ where: { id, merchant_id } });
    if (existing) return { ...toSession(existing), token };
    await requireCustomer(tx, merchant_id, session.customer_id);
    await rejectTooMany(tx, merchant_id);
    const creation_date = new Date();
    const expires_at = new Date(creation_date.getTime() + minutes * MINUTE_MS);
    const row = await tx.session.create({
      data: { id, hash: hashKey(token, keySecret), merchant_id, ...session, creation_date, expires_at },
    });
    const after = { ...session, minutes };
    await tx.auditEntry.create({ data: auditEntry(context, 'session.created', { object_id: id, after }) });
    return { ...toSession(row), token };
  });
}

/** Takes effect immediately in every process. Idempotent. */
export async function revokeSession(
  context: Pick<Context, 'db' | 'merchant_id'> & AuditOrigin,
  id: string,
): Promise<SessionRow> {
  const { db, merchant_id } = context;
  return db.$transaction(async tx => {
    const [revoked] = await tx.session.updateManyAndReturn({
      where: { id, merchant_id, revoked_at: null },
      data: { revoked_at: new Date() },
    });
    if (!revoked) return findSession(context, id);
    await tx.auditEntry.create({ data: auditEntry(context, 'session.revoked', { object_id: id }) });
    return revoked;
  });
}

/** Runs in the transaction that deletes the customer, whose lock blocks new sessions of the customer. */
export async function revokeSessionsOf(tx: Prisma.TransactionClient, by: AuditOrigin, customer_id: string) {
  const revoked = await tx.session.updateManyAndReturn({
    where: { customer_id, revoked_at: null, expires_at: { gt: new Date() } },
    data: { revoked_at: new Date() },
    select: { id: true },
  });
  const data = revoked.map(({ id }) => auditEntry(by, 'session.revoked', { object_id: id }));
  await tx.auditEntry.createMany({ data });
}

/** Locks the customer until the session is written, so that it cannot be deleted meanwhile. */
async function requireCustomer(
  tx: Prisma.TransactionClient,
  merchant_id: string,
  customer_id: string | null,
): Promise<void> {
  if (customer_id === null) return;
  const rows = await tx.$queryRaw<unknown[]>`
    select from customers where id = ${customer_id} and merchant_id = ${merchant_id} and status = 'active' for share`;
  if (rows.length === 0) throw new ApiError('not_found', 'is_unknown', { field: 'customer_id' });
}

async function rejectTooMany(tx: Prisma.TransactionClient, merchant_id: string): Promise<void> {
  const live = { merchant_id, revoked_at: null, expires_at: { gt: new Date() } };
  if ((await tx.session.count({ where: live, take: MAX_SESSIONS_PER_MERCHANT })) >= MAX_SESSIONS_PER_MERCHANT)
    throw new ApiError('not_allowed', 'too_many_sessions', { max: MAX_SESSIONS_PER_MERCHANT });
}
