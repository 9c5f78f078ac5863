/** What REST and GraphQL requests have in common around their operation: authentication, Idempotency-Key and errors. */
import type { Client } from '@temporalio/client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../../prisma/generated/enums';
import type { HttpAcquirer } from '../acquirer/client';
import type { Context } from '../context';
import type { Database } from '../database/connection';
import type { ApiKeyCache } from '../merchants/apiKeyCache';
import { ApiError } from '../platform/errors';
import { newId } from '../platform/identifiers';
import type { Log } from '../platform/log';
import { toApiError } from '../platform/toApiError';
import type { VaultKeys } from '../vault/keys';
import { fingerprint } from '../vault/seal';
import { sealSecrets, unsealSecrets } from '../webhooks/storedSecrets';
import { authenticate } from './authentication';
import { type HttpResponse, runOnce } from './idempotency';

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated merchant, or that of a payer's page; empty before it is known. */
    merchant_id: string;
    /** The payment that a page is about. */
    transaction_id: string;
    /** Whether the request is known to have changed nothing. */
    isReadOnly: boolean;
  }
}

/** What the log says a fault is about. */
export const namesOf = ({ id, merchant_id, transaction_id }: FastifyRequest) => ({
  request_id: id,
  merchant: merchant_id || undefined,
  transaction: transaction_id || undefined,
});

/** What the server of one environment needs. */
export interface ServerDependencies {
  environment: Environment;
  db: Database;
  temporal: Client;
  /** The origin of the payment pages, as payers' browsers reach it. */
  publicUrl: string;
  /** Proxies whose X-Forwarded headers are trusted. */
  trustedProxies?: string[] | undefined;
  apiKeyCache: ApiKeyCache;
  vault: VaultKeys;
  acquirer: HttpAcquirer;
  /** The key with which the acquirer signs its notifications. */
  acquirerKey: string;
  log: Log;
  /** How long a client may take to send a request. */
  requestTimeoutMs?: number | undefined;
}

export interface RequestHandler {
  /** The merchant in the path. */
  merchant_id?: string;
  /** The canonical path, however the request encoded it: it is part of the idempotency key's scope. */
  path: string;
  takesIdempotencyKey: boolean;
  /** Called before the Idempotency-Key is used, so that no stored response reaches an unauthorized caller. */
  guard(context: Context): void;
  /** `final: false` for a response that is not an outcome of the work. */
  perform(context: Context): Promise<HttpResponse & { final?: boolean }>;
  /** The error in the format of this API. */
  renderError(error: ApiError): HttpResponse;
}

export const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** Authenticates the request. */
export async function createContext(
  { environment, apiKeyCache, db, vault, acquirer, temporal, publicUrl }: ServerDependencies,
  request: FastifyRequest,
  pathMerchantId?: string,
): Promise<Context> {
  const holder = await authenticate(apiKeyCache, environment, request.headers.authorization);
  if (pathMerchantId !== undefined && pathMerchantId !== holder.merchant_id) throw new ApiError('not_authenticated');
  const { merchant_id, kind: key } = holder;
  request.merchant_id = merchant_id;
  if (key === 'private' && request.headers.origin !== undefined && pathMerchantId !== undefined)
    throw new ApiError('private_key_needed');
  const services = { db, environment, vault, acquirer: acquirer.forMerchant(merchant_id), temporal, publicUrl };
  return { ...services, merchant_id, keyKind: key, request_id: request.id, newId };
}

export async function handleRequest(
  dependencies: ServerDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  handler: RequestHandler,
) {
  const { db, log, vault } = dependencies;
  const response = await respond().catch(toErrorResponse);
  reply.code(response.status).headers(response.headers);
  return reply.send(response.body);

  function toErrorResponse(thrown: unknown): HttpResponse & { final: boolean } {
    const error = toApiError(thrown);
    if (error.kind === 'internal') log.error({ err: thrown, ...namesOf(request) }, 'unexpected fault');
    return { ...handler.renderError(error), final: error.final };
  }

  async function respond(): Promise<HttpResponse> {
    const context = await createContext(dependencies, request, handler.merchant_id);
    handler.guard(context);
    const idempotencyKey = readIdempotencyKey(request);
    // No resource has a longer path, so there is nothing to repeat.
    if (!handler.takesIdempotencyKey || idempotencyKey === undefined || handler.path.length > 300)
      return handler.perform(context);
    const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
    // A keyed hash, since the body may hold a card number, which could be guessed from a plain hash.
    const body_hash = fingerprint(vault, body);
    const { merchant_id } = context;
    const idempotentRequest = {
      merchant_id,
      method: request.method,
      path: handler.path,
      key: idempotencyKey,
      body_hash,
    };
    const { replayed, ...stored } = await runOnce(db, idempotentRequest, async newSeededId => {
      const response = await handler.perform({ ...context, newId: newSeededId }).catch(toErrorResponse);
      return { final: true, ...response, body: sealSecrets(vault, response.body) };
    });
    const response = { ...stored, body: unsealSecrets(vault, stored.body) };
    return replayed ? { ...response, headers: { ...response.headers, 'idempotent-replayed': 'true' } } : response;
  }
}

function readIdempotencyKey({ headers, raw }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  const occurrences = raw.rawHeaders.filter(
    (name, i) => i % 2 === 0 && name.toLowerCase() === 'idempotency-key',
  ).length;
  if (typeof key !== 'string' || key === '' || occurrences > 1) {
    throw new ApiError('malformed', 'Idempotency-Key must be given once and not be empty');
  }
  return key;
}
