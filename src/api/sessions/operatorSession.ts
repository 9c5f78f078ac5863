/**
 * The session of the operator page, in a cookie with the id of the key and the end of the session, signed, so that the
 * database stores none. It may only read, through GraphQL, and ends with its key. The header selects it, because the
 * same browser may have the session of a merchant too.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyHolder } from '../../accounts/merchants/apiKeyCache';
import type { Database } from '../../platform/database/connection';
import { ApiError } from '../../platform/errors';

const SESSION_MS = 8 * 3_600_000;
/** The `Authorization` of a request with this session. */
const SELECTED = /^session +operator$/i;
const COOKIE = /^([a-z0-9]{1,45})\.(\d{1,15})\.([0-9a-f]{64})$/;

interface SessionOwner {
  publicUrl: string;
  secret: string;
}

const isSecure = ({ publicUrl }: SessionOwner): boolean => publicUrl.startsWith('https:');
const nameOf = (owner: SessionOwner): string => `${isSecure(owner) ? '__Secure-' : ''}operator`;

const sign = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(`operator's page ${text}`).digest('hex');

/** Browsers send it only to GraphQL, and never from another site. */
function sendCookie(owner: SessionOwner, reply: FastifyReply, value: string, maxAgeMs: number): void {
  const rules = `Path=/graphql; Max-Age=${maxAgeMs / 1000}; HttpOnly; SameSite=Strict`;
  reply.header('set-cookie', `${nameOf(owner)}=${value}; ${rules}${isSecure(owner) ? '; Secure' : ''}`);
}

export function beginSession(owner: SessionOwner, reply: FastifyReply, { key_id }: KeyHolder): void {
  const text = `${key_id}.${Date.now() + SESSION_MS}`;
  sendCookie(owner, reply, `${text}.${sign(owner.secret, text)}`, SESSION_MS);
}

export const endSession = (owner: SessionOwner, reply: FastifyReply): void => sendCookie(owner, reply, '', 0);

export const selectsOperatorSession = ({ headers }: FastifyRequest): boolean =>
  SELECTED.test(headers.authorization ?? '');

/** The operator with the right to read, even if the key may do more. */
export async function requireOperatorSession(
  db: Database,
  owner: SessionOwner,
  request: FastifyRequest,
): Promise<KeyHolder> {
  const { cookie = '', 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin') throw new ApiError('private_key_needed');
  const beginning = `${nameOf(owner)}=`;
  const value = cookie.split(/; */).find(text => text.startsWith(beginning));
  const [, key_id = '', until = '', signature = ''] = COOKIE.exec(value?.slice(beginning.length) ?? '') ?? [];
  const expected = sign(owner.secret, `${key_id}.${until}`);
  const isSigned =
    signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
  if (!isSigned || Number(until) <= Date.now()) throw new ApiError('not_authenticated');
  const row = await db.operatorKey.findUnique({ where: { id: key_id } });
  if (!row || (row.expires_at && row.expires_at.getTime() <= Date.now())) throw new ApiError('not_authenticated');
  return {
    key: key_id,
    key_id,
    merchant_id: '',
    environment: undefined,
    kind: 'operator',
    addresses: [],
    rights: { isReadOnly: true, isSuspended: false, role: 'read' },
  };
}
