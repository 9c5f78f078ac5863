/** Why a delivery failed, in words for the merchant. Never the error's own message: it could reveal our network. */
import { errors } from 'undici';
import { ResponseTimeout } from './post';

/** The name of the host resolves to an address that is not on the public internet. */
export class NotPublicError extends Error {}

const BROKEN = 'The connection broke before there was a complete answer';
const UNKNOWN_NAME = 'The name of the host is not known';
const UNTRUSTED = 'The certificate of the host is not signed by an authority that we know';

const messages: Record<string, string> = {
  ENOTFOUND: UNKNOWN_NAME,
  ENODATA: UNKNOWN_NAME,
  EAI_AGAIN: 'The name of the host could not be looked up',
  ECONNREFUSED: 'The host refused the connection',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
  EADDRNOTAVAIL: 'The host cannot be reached',
  ETIMEDOUT: 'The host did not accept the connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'The host did not accept the connection in time',
  ECONNRESET: BROKEN,
  EPIPE: BROKEN,
  UND_ERR_SOCKET: BROKEN,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The answer is shorter than its Content-Length says',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too long',
  // All other arguments are our own.
  UND_ERR_INVALID_ARG: 'A header has characters that no header may have',
  CERT_HAS_EXPIRED: 'The certificate of the host has expired',
  CERT_NOT_YET_VALID: 'The certificate of the host is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the host is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate of the host comes without those between it and its authority',
};

export function describeFailure(error: unknown, timeoutMs: number): string {
  if (error instanceof ResponseTimeout) return `There was no complete answer within ${timeoutMs / 1000} seconds`;
  if (error instanceof NotPublicError)
    return 'The name of the host leads to a place that is not on the public internet';
  const code = String((error as NodeJS.ErrnoException).code);
  if (Object.hasOwn(messages, code)) return `${messages[code]}`;
  if (error instanceof errors.HTTPParserError) return 'The answer is not HTTP';
  if (/SSL|TLS|EPROTO|CERT/.test(code)) return 'No secure connection came about';
  return 'The request could not be sent';
}
