/** The cookie of whoever signed in at a page of this service. No script can read it, and no other site can send it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../../../prisma/generated/enums';

interface CookieOwner {
  environment: Environment;
  publicUrl: string;
}

const isSecure = ({ publicUrl }: CookieOwner): boolean => publicUrl.startsWith('https:');

/**
 * Cookies are the same for all ports of a host, so that the environments need names of their own. With `__Host-` no
 * other host of the same domain can set it.
 */
const nameOf = (owner: CookieOwner): string => `${isSecure(owner) ? '__Host-' : ''}session_${owner.environment}`;

/** The token; undefined without the cookie. */
export function readSessionCookie(owner: CookieOwner, { headers }: FastifyRequest): string | undefined {
  const beginning = `${nameOf(owner)}=`;
  const cookie = headers.cookie?.split(/; */).find(text => text.startsWith(beginning));
  return cookie?.slice(beginning.length);
}

/** An empty token deletes it. */
export function sendSessionCookie(
  owner: CookieOwner,
  reply: FastifyReply,
  token: string,
  expires_at = new Date(),
): void {
  const age = Math.max(0, Math.floor((expires_at.getTime() - Date.now()) / 1000));
  const rules = `Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${isSecure(owner) ? '; Secure' : ''}`;
  reply.header('set-cookie', `${nameOf(owner)}=${token}; ${rules}`);
}
