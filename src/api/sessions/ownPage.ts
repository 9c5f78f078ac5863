import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../platform/errors';

/** Returns the origin if it is the public URL or the host of the request. */
export function requireOwnPage({ headers }: FastifyRequest, publicUrl: string): string {
  const { origin, host, 'sec-fetch-site': site } = headers;
  const isOwn = origin === publicUrl || (origin && URL.canParse(origin) && new URL(origin).host === host);
  if (!origin || !isOwn || (site !== undefined && site !== 'same-origin'))
    throw new ApiError('private_key_needed', 'own_page_needed');
  return origin;
}
