import type { FastifyRequest } from 'fastify';
import { isSigned } from '../../gateway/acquirer/signature';
import { ApiError } from '../../platform/errors';

/** The body of a notification with a valid signature of the acquirer or of the mail provider. */
export function readSigned(key: string, { body: bytes, headers: { signature } }: FastifyRequest): string {
  const body = bytes instanceof Uint8Array ? Buffer.from(bytes).toString('utf8') : '';
  if (!isSigned(key, typeof signature === 'string' ? signature : undefined, body))
    throw new ApiError('not_authenticated', 'unsigned_notification');
  return body;
}
