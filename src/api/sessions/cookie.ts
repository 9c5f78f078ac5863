/** The session cookie of this service's pages. Scripts cannot read it, and other sites cannot send it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../../../prisma/generated/enums';

interface CookieOwner {
  environment: Environment;
  publicUrl: string;
}

const isSecure = ({ publicUrl }: CookieOwner): boolean => publicUrl.startsWith('https:');

/** Cookies ignore ports, so each environment has its own name. `__Host-` keeps other hosts of the domain from setting it. */
const nameOf = (owner: CookieOwner): string => `${isSecure(owner) ? '__Host-' : ''}session_${owner.environment}`;

export function readSessionCookie(owner: CookieOwner, { headers }: FastifyRequest): string | undefined {
  const beginning = `${nameOf(owner)}=`;
  const cookie = headers.cookie?.split(/; */).find(text => text.startsWith(beginning));
  return cookie?.slice(beginning.length);
}

/** An empty token deletes the cookie. */
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
