/**
 * The session of the operator page, in a cookie with the id of the key and the end of the session, signed, so that the
 * database stores none. It has the role of its key, through GraphQL only, and ends with it. The header selects it, because
 * the same browser may have the session of a merchant too; no other site can send it.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyHolder } from '../../accounts/merchants/apiKeyCache';
import type { Database } from '../../platform/database/connection';
import { ApiError } from '../../platform/errors';
import type { OperatorRole } from '../../schema/operation/context';

const SESSION_MS = 8 * 3_600_000;
/** The `Authorization` of a request with this session. */
const SELECTED = /^session +operator$/i;
const COOKIE = /^([a-z0-9]{1,45}\.\d{1,15}\.[0-9a-f]{16})\.([0-9a-f]{64})$/;

interface SessionOwner {
  publicUrl: string;
  secret: string;
}

const isSecure = ({ publicUrl }: SessionOwner): boolean => publicUrl.startsWith('https:');
const nameOf = (owner: SessionOwner): string => `${isSecure(owner) ? '__Host-' : ''}operator`;

const sign = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(`operator's page ${text}`).digest('hex');

/** Browsers never send it from another site. */
function sendCookie(owner: SessionOwner, reply: FastifyReply, value: string, maxAgeMs: number): void {
  const rules = `Path=/; Max-Age=${maxAgeMs / 1000}; HttpOnly; SameSite=Strict`;
  reply.header('set-cookie', `${nameOf(owner)}=${value}; ${rules}${isSecure(owner) ? '; Secure' : ''}`);
}

export function beginSession(owner: SessionOwner, reply: FastifyReply, { key_id }: KeyHolder): void {
  const text = `${key_id}.${Date.now() + SESSION_MS}.${randomBytes(8).toString('hex')}`;
  sendCookie(owner, reply, `${text}.${sign(owner.secret, text)}`, SESSION_MS);
}

/** Deletes the cookie, and refuses copies of it until it would have expired. */
export async function endSession(
  db: Database,
  owner: SessionOwner,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const session = readSession(owner, request);
  if (session) await db.endedOperatorSession.createMany({ data: session.ended, skipDuplicates: true });
  sendCookie(owner, reply, '', 0);
}

export const selectsOperatorSession = ({ headers }: FastifyRequest): boolean =>
  SELECTED.test(headers.authorization ?? '');

interface SignedSession {
  key_id: string;
  /** The row that ends it. Only the hash is stored, so that the row does not reveal a cookie. */
  ended: { hash: Uint8Array<ArrayBuffer>; expires_at: Date };
}

/** Undefined without a cookie that is signed and has not expired. */
function readSession(owner: SessionOwner, { headers }: FastifyRequest): SignedSession | undefined {
  const { cookie = '', 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') throw new ApiError('private_key_needed');
  const beginning = `${nameOf(owner)}=`;
  const value = cookie.split(/; */).find(text => text.startsWith(beginning));
  const [, text = '', signature = ''] = COOKIE.exec(value?.slice(beginning.length) ?? '') ?? [];
  const [key_id = '', until = ''] = text.split('.');
  const expected = sign(owner.secret, text);
  const isSigned =
    signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
  if (!isSigned || Number(until) <= Date.now()) return undefined;
  const hash = new Uint8Array(createHash('sha256').update(signature).digest());
  return { key_id, ended: { hash, expires_at: new Date(Number(until)) } };
}

export async function requireOperatorSession(
  db: Database,
  owner: SessionOwner,
  request: FastifyRequest,
): Promise<KeyHolder> {
  const session = readSession(owner, request);
  if (!session) throw new ApiError('not_authenticated');
  const { key_id, ended } = session;
  const [row, isEnded] = await Promise.all([
    db.operatorKey.findUnique({ where: { id: key_id } }),
    db.endedOperatorSession.findUnique({ where: { hash: ended.hash } }),
  ]);
  if (isEnded) throw new ApiError('not_authenticated', 'session_ended');
  if (!row || (row.expires_at && row.expires_at.getTime() <= Date.now())) throw new ApiError('not_authenticated');
  const role = row.role as OperatorRole;
  return {
    key: key_id,
    key_id,
    merchant_id: '',
    environment: undefined,
    kind: 'operator',
    addresses: [],
    rights: { isReadOnly: role === 'read', isSuspended: false, role },
  };
}
