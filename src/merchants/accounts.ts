/** Operators create merchants with a pair of API keys, and rotate those keys. */
import type { Environment } from '../../prisma/generated/enums';
import type { Database } from '../database/connection';
import { newId } from '../platform/identifiers';
import { type KeyPair, keyRows, newKeyPair } from './keys';

export interface NewMerchant {
  environment: Environment;
  name: string;
  email: string;
}

/** The keys are returned only here: the database stores nothing but their hashes. */
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

/** Creates the merchant together with the provided keys. An existing merchant and its keys are left as they are. */
export async function openAccount(
  db: Database,
  { id, ...merchant }: NewMerchant & { id: string },
  keys: KeyPair,
  secret: string,
): Promise<void> {
  if (await db.merchant.findUnique({ where: { id } })) return;
  await db.merchant.create({ data: { id, ...merchant, api_keys: { create: keyRows(keys, secret) } } });
}

/** New keys work at once, the old ones for `overlapHours` more. Null if there is no such merchant. */
export async function rotateKeys(
  db: Database,
  id: string,
  overlapHours: number,
  secret: string,
): Promise<KeyPair | null> {
  if (!(await db.merchant.findUnique({ where: { id } }))) return null;
  const keys = newKeyPair();
  const expires_at = new Date(Date.now() + overlapHours * 3_600_000);
  await db.$transaction([
    db.apiKey.updateMany({ where: { merchant_id: id, expires_at: null }, data: { expires_at } }),
    db.apiKey.createMany({ data: keyRows(keys, secret).map(row => ({ merchant_id: id, ...row })) }),
  ]);
  return keys;
}
