/**
 * Authenticates by API key (Basic authentication with an empty password) or session (bearer token or cookie). Every
 * failure gets the same response, except that of an ended session.
 */
import type { FastifyRequest } from 'fastify';
import type { Environment } from '../../prisma/generated/enums';
import type { ApiKeyCache, KeyHolder } from '../accounts/merchants/apiKeyCache';
import type { Database } from '../platform/database/connection';
import { ApiError } from '../platform/errors';
import { isWithin } from '../platform/networks';
import type { Admission } from './admission/admission';
import { readSessionCookie } from './sessions/cookie';
import { requireOperatorSession, selectsOperatorSession } from './sessions/operatorSession';
import { requireOwnPage } from './sessions/ownPage';

interface Authentication {
  db: Database;
  environment: Environment;
  publicUrl: string;
  apiKeyCache: ApiKeyCache;
  admission: Admission;
}

const BASIC_CREDENTIALS = /^basic +([a-z0-9+/]+=*) *$/i;
const API_KEY = /^([spo]k_[0-9a-f]{32}):$/;
const SESSION = /^bearer +(st_[0-9a-f]{32}) *$/i;

function readCredentials(header = ''): string | undefined {
  const encoded = BASIC_CREDENTIALS.exec(header)?.[1];
  if (encoded === undefined) return SESSION.exec(header)?.[1];
  return API_KEY.exec(Buffer.from(encoded, 'base64').toString('latin1'))?.[1];
}

export async function authenticate(
  apiKeyCache: ApiKeyCache,
  environment: Environment,
  header: string | undefined,
  address: string,
): Promise<KeyHolder> {
  const key = readCredentials(header);
  const holder = key ? await apiKeyCache.findHolder(key) : null;
  if (key && !holder && (await apiKeyCache.isEndedSession(key)))
    throw new ApiError('not_authenticated', 'session_ended');
  // Operators' keys work in both environments.
  const isForThis = holder?.kind === 'operator' || holder?.environment === environment;
  if (!holder || !isForThis || !isWithin(address, holder.addresses)) throw new ApiError('not_authenticated');
  return holder;
}

/** The header, or its equivalent for a session cookie. */
export function credentialsOf(authentication: Authentication, request: FastifyRequest): string | undefined {
  const { authorization } = request.headers;
  if (authorization !== undefined) return authorization;
  const token = readSessionCookie(authentication, request);
  return token && `Bearer ${token}`;
}

/**
 * By key or session alone, without the origin. It is called again before each part of a long response, which ends with
 * the key or session.
 */
export function authenticateCredentials(authentication: Authentication, request: FastifyRequest): Promise<KeyHolder> {
  const { db, publicUrl, apiKeyCache, environment } = authentication;
  return selectsOperatorSession(request)
    ? requireOperatorSession(db, { publicUrl, secret: apiKeyCache.secret }, request)
    : authenticate(apiKeyCache, environment, credentialsOf(authentication, request), request.ip);
}

export async function authenticateRequest(
  authentication: Authentication,
  request: FastifyRequest,
  pathMerchantId?: string,
): Promise<KeyHolder> {
  const { admission } = authentication;
  const credentials = credentialsOf(authentication, request);
  try {
    const holder = await authenticateCredentials(authentication, request);
    if (pathMerchantId !== undefined && pathMerchantId !== holder.merchant_id) throw new ApiError('not_authenticated');
    request.merchant_id = holder.merchant_id;
    rejectWrongOrigin(request, holder, authentication.publicUrl);
    request.key_id = holder.key_id;
    return holder;
  } catch (error) {
    const isGuess = credentials !== undefined && !selectsOperatorSession(request);
    if (isGuess && error instanceof ApiError && error.kind === 'not_authenticated')
      await admission.countWrongKey(request.ip);
    throw error;
  }
}

/**
 * Only public keys and sessions may come from browsers, and sessions only from their origins; with the session of an
 * operator, only the operator page may write. Browsers add the cookie to
 * requests of other sites too, which sec-fetch-site reveals.
 */
function rejectWrongOrigin(request: FastifyRequest, { kind, origins = [] }: KeyHolder, publicUrl: string): void {
  const { origin, authorization, 'sec-fetch-site': site } = request.headers;
  if (kind === 'public') return;
  if (selectsOperatorSession(request)) {
    if (!request.isReadOnly) requireOwnPage(request, publicUrl);
    return;
  }
  if (kind !== 'session') {
    if (origin !== undefined) throw new ApiError('private_key_needed');
    return;
  }
  const isCookie = authorization === undefined;
  const isOfThisPage = isCookie && site === 'same-origin';
  const isNamed = origin === undefined ? isOfThisPage : origins.includes(origin);
  if (!isNamed || (isCookie && site !== undefined && !isOfThisPage))
    throw new ApiError('private_key_needed', 'foreign_page');
  request.readableBy = origin ?? '';
}
