/** Delivery failures as merchants see them. The error's own message could reveal the internal network. */
import { errors } from 'undici';
import { ResponseTimeout } from './post';

export class NotPublicError extends Error {}

const BROKEN = 'The connection closed before the response was complete';
const UNKNOWN_NAME = 'The host name does not exist';
const UNTRUSTED = 'The certificate of the host is not signed by a trusted authority';

const messages: Record<string, string> = {
  ENOTFOUND: UNKNOWN_NAME,
  ENODATA: UNKNOWN_NAME,
  EAI_AGAIN: 'The host name could not be resolved',
  ECONNREFUSED: 'The host refused the connection',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
  EADDRNOTAVAIL: 'The host cannot be reached',
  ETIMEDOUT: 'The host did not accept the connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'The host did not accept the connection in time',
  ECONNRESET: BROKEN,
  EPIPE: BROKEN,
  UND_ERR_SOCKET: BROKEN,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The response is shorter than its Content-Length',
  UND_ERR_HEADERS_OVERFLOW: 'The response headers are too long',
  // Other arguments come from this program.
  UND_ERR_INVALID_ARG: 'A header contains invalid characters',
  CERT_HAS_EXPIRED: 'The certificate of the host has expired',
  CERT_NOT_YET_VALID: 'The certificate of the host is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the host is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The certificate chain of the host is incomplete: send the intermediate certificates',
};

export function describeFailure(error: unknown, timeoutMs: number): string {
  if (error instanceof ResponseTimeout) return `The response was not complete within ${timeoutMs / 1000} seconds`;
  if (error instanceof NotPublicError) return 'The host name resolves to an address that is not on the public internet';
  const code = String((error as NodeJS.ErrnoException).code);
  if (Object.hasOwn(messages, code)) return `${messages[code]}`;
  if (error instanceof errors.HTTPParserError) return 'The response is not valid HTTP';
  if (/SSL|TLS|EPROTO|CERT/.test(code)) return 'The TLS handshake failed';
  return 'The request could not be sent';
}
