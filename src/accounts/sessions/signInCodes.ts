/** Single-use codes for sign-in links, created from the command line; only their hashes are stored. */
import { randomBytes } from 'node:crypto';
import type { Database } from '../../platform/database/connection';
import { hashKey } from '../merchants/keys';

const CODE_HOURS = 24;
const CODE = /^sc_[0-9a-f]{32}$/;

/** The sign-in creates a session of this key. */
export async function createSignInCode(
  db: Database,
  secret: string,
  owner: { merchant_id: string; key_id: string },
): Promise<string> {
  const code = `sc_${randomBytes(16).toString('hex')}`;
  const expires_at = new Date(Date.now() + CODE_HOURS * 3_600_000);
  await db.signInCode.create({ data: { hash: hashKey(code, secret), ...owner, expires_at } });
  return code;
}

/** Returns the key ID for a valid code, once. */
export async function takeSignInCode(db: Database, secret: string, code: string): Promise<string | undefined> {
  if (!CODE.test(code)) return undefined;
  const where = { hash: hashKey(code, secret), expires_at: { gt: new Date() } };
  const found = await db.signInCode.findUnique({ where, select: { key_id: true } });
  const { count } = await db.signInCode.deleteMany({ where });
  return count > 0 ? found?.key_id : undefined;
}
