/**
 * Short-lived cookies with entered values and the language. They are not stored on the server, because the payer is not
 * the only person with the payment link.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';

const MAX_AGE_SECONDS = 30 * 60;

type CookieName = 'typed' | 'lang' | 'back';

/** The pages of a payment or a payment link. */
interface PayerPage {
  page_key: string | null;
  page_origin: string | null;
}

/** Sets a cookie for the pages below `path`. `text` is URL-encoded; an empty text deletes the cookie. */
export function remember(
  reply: FastifyReply,
  { page_key, page_origin }: PayerPage,
  name: CookieName,
  text: string,
  path = '/pay',
): void {
  const age = text ? MAX_AGE_SECONDS : 0;
  // Lax, because the payer returns from the bank, which is another site.
  const rules = `Path=${path}/${page_key}; Max-Age=${age}; HttpOnly; SameSite=Lax`;
  reply.header('set-cookie', `${name}=${text}; ${rules}${page_origin?.startsWith('https:') ? '; Secure' : ''}`);
}

export function recall({ headers }: FastifyRequest, name: CookieName): string {
  const cookie = headers.cookie?.split(/; */).find(text => text.startsWith(`${name}=`));
  return cookie?.slice(name.length + 1) ?? '';
}
