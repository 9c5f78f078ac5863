/** Operator keys. */
import type { OperatorKey as OperatorKeyRow } from '../../../prisma/generated/client';
import { type AuditOrigin, auditEntry } from '../../accounts/auditLog/entry';
import { keyRow } from '../../accounts/merchants/keys';
import type { Database } from '../../platform/database/connection';
import { lockName } from '../../platform/database/locks';
import { ApiError } from '../../platform/errors';
import { newId } from '../../platform/identifiers';
import { newestFirst } from '../../schema/list';
import type { OperatorRole } from '../../schema/operation/context';
import type { NewOperatorKey, OperatorKey } from './fields';

const toOperatorKey = ({ id, name, role, last_four, creation_date }: OperatorKeyRow): OperatorKey => ({
  id,
  name,
  role: role as OperatorRole,
  masked: `ok_…${last_four}`,
  creation_date,
});

export const listOperatorKeys = async (db: Database): Promise<OperatorKey[]> =>
  (await db.operatorKey.findMany({ orderBy: [...newestFirst] })).map(toOperatorKey);

export async function findOperatorKey(db: Database, id: string): Promise<OperatorKey> {
  const row = await db.operatorKey.findUnique({ where: { id } });
  if (!row) throw new ApiError('not_found', 'unknown_operator_key', { id });
  return toOperatorKey(row);
}

/** Returns the secret key, which is not shown again. Idempotent: a repeated request has the same id and key. */
export async function createOperatorKey(
  db: Database,
  by: AuditOrigin,
  { name, role }: NewOperatorKey,
  { id, key, secret }: { id: string; key: string; secret: string },
): Promise<OperatorKey> {
  const data = { ...keyRow(key, secret, id), name, role };
  const row = await db.$transaction(async tx => {
    const { count } = await tx.operatorKey.createMany({ data, skipDuplicates: true });
    if (count > 0) {
      const change = { object_id: id, after: { name, role } };
      await tx.auditEntry.create({ data: auditEntry(by, 'operator_key.created', change) });
    }
    return tx.operatorKey.findUniqueOrThrow({ where: { id } });
  });
  return { ...toOperatorKey(row), key };
}

/** Creates the key of `npm start` at most once, also if the key was revoked. */
export async function createFirstOperator(db: Database, by: AuditOrigin, key: string, secret: string): Promise<void> {
  const name = 'npm start';
  const wasCreated = { action: 'operator_key.created', after: { path: ['name'], equals: name } };
  if ((await db.auditEntry.count({ where: wasCreated })) > 0) return;
  await createOperatorKey(db, by, { name, role: 'admin' }, { id: newId('key'), key, secret });
}

/** Rejects the last admin key, which could only be replaced on the command line. */
export const revokeOperatorKey = (db: Database, by: AuditOrigin, id: string): Promise<OperatorKey> =>
  db.$transaction(async tx => {
    await lockName(tx, 'operator keys');
    const row = await tx.operatorKey.findUnique({ where: { id } });
    if (!row) throw new ApiError('not_found', 'unknown_operator_key', { id });
    const otherAdmins = { role: 'admin', id: { not: id }, expires_at: null };
    if (row.role === 'admin' && (await tx.operatorKey.count({ where: otherAdmins })) === 0)
      throw new ApiError('not_allowed', 'last_admin_key');
    await tx.operatorKey.delete({ where: { id } });
    const change = { object_id: id, before: { name: row.name, role: row.role } };
    await tx.auditEntry.create({ data: auditEntry(by, 'operator_key.revoked', change) });
    return toOperatorKey(row);
  });
