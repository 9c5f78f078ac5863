/** Merchant accounts as operators handle them: opened with a pair of keys, their keys rotated. */
import type { Environment } from '../../prisma/generated/enums';
import type { Database } from '../database/connection';
import { newId } from '../platform/identifiers';
import { type KeyPair, keyRows, newKeyPair } from './keys';

export interface NewMerchant {
  environment: Environment;
  name: string;
  email: string;
}

/** The keys are answered this once: the database keeps their hashes only. */
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

/** Makes the merchant with these very keys, unless it is there: then its keys are its own business. All or nothing. */
export async function openAccount(
  db: Database,
  { id, ...merchant }: NewMerchant & { id: string },
  keys: KeyPair,
  secret: string,
): Promise<void> {
  if (await db.merchant.findUnique({ where: { id } })) return;
  await db.merchant.create({ data: { id, ...merchant, api_keys: { create: keyRows(keys, secret) } } });
}

/** New keys at once; the old ones go on working until the overlap is over. Null when there is no such merchant. */
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
