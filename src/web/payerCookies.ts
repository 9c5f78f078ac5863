/**
 * What the payer's own browser keeps from one page of a payment to the next, for a while: what was typed, and the
 * language. It is not kept here, since others may have the link of the payment too, such as the shop that sent it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Payment } from '../payments/charges/pending/rows';

const MAX_AGE_SECONDS = 30 * 60;

type CookieName = 'typed' | 'lang';

/** `text` is URL-encoded. Sent with the pages of this payment only. An empty one is deleted. */
export function remember(
  reply: FastifyReply,
  { page_key, page_origin }: Payment,
  name: CookieName,
  text: string,
): void {
  const age = text ? MAX_AGE_SECONDS : 0;
  // Lax, because the payer comes back from the page of a bank, which is another site.
  const rules = `Path=/pay/${page_key}; Max-Age=${age}; HttpOnly; SameSite=Lax`;
  reply.header('set-cookie', `${name}=${text}; ${rules}${page_origin?.startsWith('https:') ? '; Secure' : ''}`);
}

/** Empty if there is none. */
export function recall({ headers }: FastifyRequest, name: CookieName): string {
  const cookie = headers.cookie?.split(/; */).find(text => text.startsWith(`${name}=`));
  return cookie?.slice(name.length + 1) ?? '';
}
