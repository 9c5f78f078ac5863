/** Changes of API keys lock their merchant, so that concurrent requests cannot remove the last unrestricted key. */
import type { Prisma } from '../../../prisma/generated/client';
import type { ApiKeyModel } from '../../../prisma/generated/models';
import type { Database } from '../../platform/database/connection';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import type { Context } from '../../schema/operation/context';
import type { AuditAction } from '../auditLog/actions';
import { auditEntry, changedMembers } from '../auditLog/entry';
import type { ApiKey, CreateKey, RotateKey, UpdateKey } from './keyFields';
import { keyRow, maskKey, seededKey } from './keys';
import { lockMerchant } from './rows';

const MAX_KEYS_PER_MERCHANT = 50;
const DEFAULT_OVERLAP_HOURS = 24;
export const HOUR_MS = 3_600_000;

type KeyRow = ApiKeyModel;
type KeySettings = Pick<KeyRow, 'name' | 'read_only' | 'addresses'>;
type NewKey = KeySettings & Pick<KeyRow, 'id' | 'kind' | 'hash' | 'last_four'>;

const toApiKey = (row: KeyRow, last_used_at: Date | null = null, key?: string): ApiKey => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  masked: maskKey(row.kind, row.last_four),
  read_only: row.read_only,
  addresses: row.addresses,
  creation_date: row.creation_date,
  expires_at: row.expires_at,
  last_used_at,
  ...(key === undefined ? {} : { key }),
});

export async function findKey({ db, merchant_id }: Context, id: string): Promise<KeyRow> {
  const row = isId(id) ? await db.apiKey.findUnique({ where: { id, merchant_id } }) : null;
  if (!row) throw new ApiError('not_found');
  return row;
}

/** Adds the date of the last use. */
export async function showKeys(db: Database, rows: readonly KeyRow[]): Promise<ApiKey[]> {
  const uses = await db.keyUse.findMany({ where: { key_id: { in: rows.map(({ id }) => id) } } });
  const usedAt = new Map(uses.map(({ key_id, used_at }) => [key_id, used_at]));
  return rows.map(row => toApiKey(row, usedAt.get(row.id) ?? null));
}

/** A retry finds the key that it created, and returns it again. */
export async function createKey(context: Context, { kind, ...input }: CreateKey): Promise<ApiKey> {
  const settings = { name: null, read_only: false, addresses: [], ...readSettings(kind, input) };
  const key = seededKey(kind, context);
  const row = { kind, ...settings, ...keyRow(key, context.keySecret, context.newId('key')) };
  return withLockedKeys(context, async (tx, keys) => {
    const existing = keys.find(({ id }) => id === row.id);
    if (existing) return toApiKey(existing, null, key);
    rejectTooMany(keys);
    return toApiKey(await insertKey(tx, context, row, 'key.created', settings), null, key);
  });
}

export async function updateKey(context: Context, id: string, input: UpdateKey): Promise<ApiKey> {
  const found = await findKey(context, id);
  const changes = readSettings(found.kind, input);
  const updated = await withLockedKeys(context, async (tx, keys) => {
    const before = keys.find(key => key.id === id);
    if (!before) throw new ApiError('not_found');
    const after = { ...before, ...changes };
    requireFullKey(
      keys.map(key => (key === before ? after : key)),
      before,
    );
    const { before: was, after: is } = changedMembers(settingsOf(before), settingsOf(after));
    if (Object.keys(is ?? {}).length === 0) return before;
    const entry = auditEntry(context, 'key.changed', { object_id: id, before: was, after: is });
    await tx.auditEntry.create({ data: entry });
    return tx.apiKey.update({ where: { id }, data: changes });
  });
  return (await showKeys(context.db, [updated]))[0] as ApiKey;
}

/** The new key inherits the name and restrictions of the old one. */
export async function rotateKey(
  context: Context,
  id: string,
  { overlap_hours = DEFAULT_OVERLAP_HOURS }: RotateKey,
): Promise<ApiKey> {
  const { kind } = await findKey(context, id);
  const key = seededKey(kind, context);
  const row = { kind, ...keyRow(key, context.keySecret, context.newId('key')) };
  return withLockedKeys(context, async (tx, keys) => {
    const existing = keys.find(each => each.id === row.id);
    if (existing) return toApiKey(existing, null, key);
    const old = keys.find(each => each.id === id);
    if (!old) throw new ApiError('not_found');
    if (old.expires_at) throw new ApiError('not_allowed', 'key_replaced');
    if (overlap_hours > 0) rejectTooMany(keys);
    await tx.apiKey.update({ where: { id }, data: { expires_at: new Date(Date.now() + overlap_hours * HOUR_MS) } });
    const settings = settingsOf(old);
    const after = { ...settings, replaces: id, overlap_hours };
    return toApiKey(await insertKey(tx, context, { ...settings, ...row }, 'key.rotated', after), null, key);
  });
}

/** Takes effect immediately in every process. */
export async function revokeKey(context: Context, id: string): Promise<ApiKey> {
  await findKey(context, id);
  const revoked = await withLockedKeys(context, async (tx, keys) => {
    const row = keys.find(key => key.id === id);
    if (!row) throw new ApiError('not_found');
    requireFullKey(
      keys.filter(key => key !== row),
      row,
    );
    await tx.apiKey.delete({ where: { id } });
    const before = { ...settingsOf(row), kind: row.kind, masked: maskKey(row.kind, row.last_four) };
    await tx.auditEntry.create({ data: auditEntry(context, 'key.revoked', { object_id: id, before }) });
    return row;
  });
  return toApiKey(revoked);
}

/** Runs with all keys of the merchant, locked against changes. */
function withLockedKeys<T>(
  { db, merchant_id }: Context,
  work: (tx: Prisma.TransactionClient, keys: KeyRow[]) => Promise<T>,
): Promise<T> {
  return db.$transaction(async tx => {
    await lockMerchant(tx, merchant_id);
    return work(tx, await tx.apiKey.findMany({ where: { merchant_id } }));
  });
}

async function insertKey(
  tx: Prisma.TransactionClient,
  context: Context,
  row: NewKey,
  action: AuditAction,
  after: Prisma.InputJsonObject,
): Promise<KeyRow> {
  const { merchant_id } = context;
  await tx.auditEntry.create({ data: auditEntry(context, action, { object_id: row.id, after }) });
  return tx.apiKey.create({ data: { ...row, merchant_id } });
}

const settingsOf = ({ name, read_only, addresses }: KeySettings): KeySettings => ({ name, read_only, addresses });

function readSettings(kind: KeyRow['kind'], { name, read_only, addresses }: UpdateKey): Partial<KeySettings> {
  if (kind === 'public' && read_only) throw new ApiError('invalid_value', 'for_private_keys', { field: 'read_only' });
  return {
    ...(name === undefined ? {} : { name: name.trim() || null }),
    ...(read_only === undefined ? {} : { read_only }),
    ...(addresses === undefined ? {} : { addresses: [...new Set(addresses)] }),
  };
}

function rejectTooMany(keys: readonly KeyRow[]): void {
  const working = keys.filter(({ expires_at }) => !expires_at || expires_at.getTime() > Date.now());
  if (working.length >= MAX_KEYS_PER_MERCHANT)
    throw new ApiError('not_allowed', 'too_many_keys', { max: MAX_KEYS_PER_MERCHANT });
}

const isFull = ({ kind, read_only, addresses, expires_at }: KeyRow): boolean =>
  kind === 'private' && !read_only && addresses.length === 0 && expires_at === null;

/** A merchant with an unrestricted private key must keep at least one. */
function requireFullKey(after: readonly KeyRow[], changed: KeyRow): void {
  if (isFull(changed) && !after.some(isFull)) throw new ApiError('not_allowed', 'last_full_key');
}
