import type { Environment } from '../../../prisma/generated/enums';
import type { Database } from '../../platform/database/connection';
import { newId } from '../../platform/identifiers';
import { type AuditOrigin, auditEntry } from '../auditLog/entry';
import { HOUR_MS } from './keyRows';
import { type KeyPair, keyRows, newKeyPair } from './keys';
import { lockMerchant } from './rows';

export interface NewMerchant {
  environment: Environment;
  name: string;
  email: string;
  phone: string;
}

/** The actor of commands that use the database directly. */
export const COMMAND_LINE: AuditOrigin = { actor: { kind: 'operator', id: 'command line' } };

/** The only place that returns the keys: the database stores only their hashes. */
export async function createMerchant(
  db: Database,
  merchant: NewMerchant,
  secret: string,
): Promise<KeyPair & { id: string }> {
  const id = newId('merchant');
  const keys = newKeyPair();
  await openAccount(db, { id, ...merchant }, keys, secret);
  return { id, ...keys };
}

/** Creates the merchant with these keys. An existing merchant is unchanged. */
export async function openAccount(
  db: Database,
  { id, ...merchant }: NewMerchant & { id: string },
  keys: KeyPair,
  secret: string,
  by = COMMAND_LINE,
): Promise<void> {
  if (await db.merchant.findUnique({ where: { id } })) return;
  const { environment, name } = merchant;
  const audit = auditEntry(by, 'merchant.created', { object_id: id, after: { environment, name } }, id);
  await db.$transaction([
    db.merchant.create({ data: { id, ...merchant, api_keys: { create: keyRows(keys, secret) } } }),
    db.auditEntry.create({ data: audit }),
  ]);
}

/** Replaces all keys by an unrestricted pair; old keys work for `overlapHours` more. Null if the merchant does not exist. */
export async function rotateKeys(
  db: Database,
  id: string,
  overlapHours: number,
  secret: string,
  by = COMMAND_LINE,
): Promise<KeyPair | null> {
  const keys = newKeyPair();
  const rows = keyRows(keys, secret);
  const expires_at = new Date(Date.now() + overlapHours * HOUR_MS);
  return db.$transaction(async tx => {
    if (!(await lockMerchant(tx, id))) return null;
    // Also one that was replaced before, and would live longer.
    const isLonger = { OR: [{ expires_at: null }, { expires_at: { gt: expires_at } }] };
    await tx.apiKey.updateMany({ where: { merchant_id: id, ...isLonger }, data: { expires_at } });
    await tx.apiKey.createMany({ data: rows.map(row => ({ merchant_id: id, ...row })) });
    const entryOf = (row: { id: string; kind: string }) =>
      auditEntry(by, 'key.rotated', { object_id: row.id, after: { kind: row.kind, overlap_hours: overlapHours } }, id);
    await tx.auditEntry.createMany({ data: rows.map(entryOf) });
    return keys;
  });
}
