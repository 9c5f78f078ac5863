/** What REST and GraphQL requests have in common around their operation: authentication, Idempotency-Key and errors. */
import type { Readable } from 'node:stream';
import type { Client } from '@temporalio/client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../../prisma/generated/enums';
import type { ApiKeyCache, KeyHolder } from '../accounts/merchants/apiKeyCache';
import type { HttpAcquirer } from '../gateway/acquirer/client';
import type { DeclineLimits } from '../gateway/declines';
import type { FraudScreening } from '../gateway/fraud/screening';
import type { Database } from '../platform/database/connection';
import { ApiError } from '../platform/errors';
import { newId } from '../platform/identifiers';
import type { Log } from '../platform/log';
import { toApiError } from '../platform/toApiError';
import type { VaultKeys } from '../platform/vault/keys';
import { hashOfBody } from '../platform/vault/seal';
import { sealSecrets, unsealSecrets } from '../platform/vault/storedSecrets';
import type { Context } from '../schema/operation/context';
import type { Admission, Entry } from './admission/admission';
import type { RequestSize } from './admission/requestSize';
import { authenticateCredentials, authenticateRequest } from './authentication';
import { bodyInParts, type SentResponse } from './bodyInParts';
import { findKept, type HttpResponse, readIdempotencyKey, runOnce } from './idempotency';
import type { IdempotentRequest } from './rows';

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated merchant, or that of a payer's page; empty before it is known. */
    merchant_id: string;
    /** The key that it came with, once that was found good. */
    key_id: string;
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
  /** Where the workflows run; as a rule that of both environments. */
  taskQueue?: string | undefined;
  /** The origin of the payment pages, as payers' browsers reach it. */
  publicUrl: string;
  /** Whether webhooks may be within private networks and without https. */
  mayCallPrivateHosts: boolean;
  /** Proxies whose X-Forwarded headers are trusted. */
  trustedProxies?: string[] | undefined;
  apiKeyCache: ApiKeyCache;
  admission: Admission;
  declines: DeclineLimits;
  fraud: FraudScreening;
  vault: VaultKeys;
  acquirer: HttpAcquirer;
  /** The key with which the acquirer signs its notifications. */
  acquirerKey: string;
  log: Log;
  /** How long a client may take to send a request, or the next part of an answer. */
  requestTimeoutMs?: number | undefined;
}

export interface RequestHandler {
  /** The merchant in the path. */
  merchant_id?: string;
  /** The canonical path, however the request encoded it: it is part of the idempotency key's scope. */
  path(): string;
  takesIdempotencyKey(): boolean;
  size: RequestSize;
  /** Called before the Idempotency-Key is used, so that no stored response reaches an unauthorized caller. */
  guard(context: Context): void;
  perform(context: Context, entry: Entry): Promise<SentResponse>;
  /** The error in the format of this API. */
  renderError(error: ApiError): HttpResponse;
}

const MALFORMED_STATUS = 400;
export const REQUEST_TIMEOUT_MS = 30_000;
export const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** Named one by one: putting it together from parts would take a twentieth of a request. */
export const createContext = (
  dependencies: ServerDependencies,
  { id: request_id, ip: address, headers }: FastifyRequest,
  { merchant_id, kind: keyKind, key_id, rights }: KeyHolder,
  yieldSlotWhile: Context['yieldSlotWhile'] = wait => wait(),
): Context => ({
  db: dependencies.db,
  environment: dependencies.environment,
  vault: dependencies.vault,
  temporal: dependencies.temporal,
  publicUrl: dependencies.publicUrl,
  mayCallPrivateHosts: dependencies.mayCallPrivateHosts,
  declines: dependencies.declines,
  fraud: dependencies.fraud,
  keySecret: dependencies.apiKeyCache.secret,
  acquirer: dependencies.acquirer.forMerchant(merchant_id, yieldSlotWhile),
  actor: { kind: keyKind === 'operator' || keyKind === 'session' ? keyKind : 'key', id: key_id },
  yieldSlotWhile,
  merchant_id,
  keyKind,
  rights,
  request_id,
  address,
  acceptLanguage: headers['accept-language'],
  newId,
});

export async function handleRequest(
  dependencies: ServerDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  handler: RequestHandler,
) {
  const { db, log, vault, admission, requestTimeoutMs = REQUEST_TIMEOUT_MS } = dependencies;
  const response = await respond().catch((error): Awaited<ReturnType<typeof respond>> => toErrorResponse(error));
  reply.code(response.status).headers(response.headers);
  return reply.send(response.stream ?? response.body);

  function toErrorResponse(thrown: unknown): SentResponse & { final: boolean } {
    const error = toApiError(thrown);
    if (error.kind === 'internal') log.error({ err: thrown, ...namesOf(request) }, 'unexpected fault');
    const response = handler.renderError(error);
    return { ...response, headers: { ...response.headers, ...error.headers }, final: error.final };
  }

  async function respond(): Promise<SentResponse & { stream?: Readable }> {
    const holder = await authenticateRequest(dependencies, request, handler.merchant_id);
    const entry = await admission.enter(holder, handler.size);
    reply.headers(entry.headers);
    try {
      const context = createContext(dependencies, request, holder, entry.yieldSlotWhile);
      const response = await work(context, entry).catch(toErrorResponse);
      if (response.status === MALFORMED_STATUS) entry.countMistake();
      const { body, rest } = response;
      return rest ? { ...response, stream: streamOf(body, rest, entry) } : response;
    } finally {
      entry.leave();
    }
  }

  function streamOf(beginning: string, rest: AsyncGenerator<string>, entry: Entry): Readable {
    const check = () => authenticateCredentials(dependencies, request);
    const stream = bodyInParts(reply, beginning, rest, { turns: entry.inParts(), check, maxIdleMs: requestTimeoutMs });
    return stream.once('error', err => log.error({ err, ...namesOf(request) }, 'a response broke off'));
  }

  async function work(context: Context, entry: Entry): Promise<SentResponse> {
    try {
      handler.guard(context);
    } catch (error) {
      // What was done before the merchant was suspended is answered again, so that nobody takes it for undone.
      const isSuspension = error instanceof ApiError && error.kind === 'suspended';
      const idempotentRequest = isSuspension ? idempotentRequestOf(context) : undefined;
      const kept = idempotentRequest && (await findKept(db, idempotentRequest));
      if (!kept) throw error;
      return toReplay(idempotentRequest, kept);
    }
    const idempotentRequest = idempotentRequestOf(context);
    if (!idempotentRequest) return handler.perform(context, entry);
    const perform = async (newSeededId: typeof newId) => {
      const response = await handler.perform({ ...context, newId: newSeededId }, entry).catch(toErrorResponse);
      return { final: true, ...response, body: sealSecrets(vault, idempotentRequest, response.body) };
    };
    const { yieldSlotWhile } = context;
    const { replayed, ...stored } = await runOnce(db, idempotentRequest, perform, { yieldSlotWhile });
    if (replayed) return toReplay(idempotentRequest, stored);
    return { ...stored, body: unsealSecrets(vault, idempotentRequest, stored.body) };
  }

  function toReplay(idempotentRequest: IdempotentRequest, { status, headers, body }: HttpResponse): HttpResponse {
    const replayedHeaders = { ...headers, 'idempotent-replayed': 'true' };
    return { status, headers: replayedHeaders, body: unsealSecrets(vault, idempotentRequest, body) };
  }

  function idempotentRequestOf({ merchant_id, keyKind, actor }: Context): IdempotentRequest | undefined {
    const key = readIdempotencyKey(request);
    if (key === undefined || !handler.takesIdempotencyKey()) return undefined;
    // What comes from a browser must neither occupy nor read a key of the merchant's server, nor one operator or session another's.
    const whose = { private: '', public: 'public ' }[keyKind as string] ?? `${keyKind} ${actor.id} `;
    const path = `${whose}${handler.path()}`;
    // No resource has a longer path, so there is nothing to repeat.
    if (path.length > 300) return undefined;
    const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
    return { merchant_id, method: request.method, path, key, body_hash: hashOfBody(vault, body) };
  }
}
