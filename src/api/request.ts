/** The common frame of REST and GraphQL requests: authentication, Idempotency-Key and errors. */
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeyCache, KeyHolder } from '../accounts/merchants/apiKeyCache';
import type { HttpAcquirer } from '../gateway/acquirer/client';
import { ApiError } from '../platform/errors';
import { newId } from '../platform/identifiers';
import type { Log } from '../platform/log';
import { toApiError } from '../platform/toApiError';
import { hashOfBody } from '../platform/vault/seal';
import { sealSecrets, unsealSecrets } from '../platform/vault/storedSecrets';
import type { Context } from '../schema/operation/context';
import type { Admission, Entry } from './admission/admission';
import type { RequestSize } from './admission/requestSize';
import { authenticateCredentials, authenticateRequest } from './authentication';
import { findStoredResponse, type HttpResponse, readIdempotencyKey, runOnce } from './idempotency';
import type { IdempotentRequest } from './rows';
import { type StreamableResponse, streamBody } from './streamBody';

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated merchant, or the merchant of a payer's page; empty until it is known. */
    merchant_id: string;
    /** The ID of the authenticated key; empty until it is known. */
    key_id: string;
    /** The payment of a page. */
    transaction_id: string;
    /** Whether the request is known to be read-only. */
    isReadOnly: boolean;
  }
}

/** The IDs in log lines about a request. */
export const namesOf = ({ id, merchant_id, transaction_id }: FastifyRequest) => ({
  request_id: id,
  merchant: merchant_id || undefined,
  transaction: transaction_id || undefined,
});

type SharedServices = 'environment' | 'db' | 'temporal' | 'declines' | 'fraud' | 'vault' | 'publicUrl';

export interface ServerDependencies
  extends Pick<
    Context,
    SharedServices | 'mayCallPrivateHosts' | 'bankAccountWaitHours' | 'acquirers' | 'temporalUiUrl'
  > {
  /** The task queue of the workflows, usually shared by both environments. */
  taskQueue?: string | undefined;
  /** Proxies whose X-Forwarded headers are trusted. */
  trustedProxies?: string[] | undefined;
  apiKeyCache: ApiKeyCache;
  admission: Admission;
  acquirer: HttpAcquirer;
  /** The key that signs the acquirer's notifications. */
  acquirerKey: string;
  /** The key that signs notifications of the mail provider. */
  mailKey?: string | undefined;
  log: Log;
  /** Timeout for a client to send its headers or a small body, or to receive the next part of a response. */
  requestTimeoutMs?: number | undefined;
}

export interface RequestHandler {
  /** The merchant in the path. */
  merchant_id?: string;
  /** The canonical path regardless of the request's encoding, because it is part of the scope of the idempotency key. */
  path(): string;
  takesIdempotencyKey(): boolean;
  size: RequestSize;
  /** Runs before the Idempotency-Key is used, so that no stored response reaches an unauthorized caller. */
  guard(context: Context): void;
  perform(context: Context, entry: Entry): Promise<StreamableResponse>;
  /** Renders the error in the format of the API. */
  renderError(error: ApiError): HttpResponse;
}

const MALFORMED_STATUS = 400;
const PART_TIMEOUT_MS = 30_000;
export const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** Property by property, because spreading would take a twentieth of a request. */
export const createContext = (
  dependencies: ServerDependencies,
  { id: request_id, ip: address, headers }: FastifyRequest,
  { merchant_id, kind: keyKind, key_id, rights }: KeyHolder,
  yieldSlotWhile: Context['yieldSlotWhile'] = io => io(),
): Context => ({
  db: dependencies.db,
  environment: dependencies.environment,
  vault: dependencies.vault,
  temporal: dependencies.temporal,
  temporalUiUrl: dependencies.temporalUiUrl,
  acquirers: dependencies.acquirers,
  publicUrl: dependencies.publicUrl,
  mayCallPrivateHosts: dependencies.mayCallPrivateHosts,
  bankAccountWaitHours: dependencies.bankAccountWaitHours,
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
  const { db, log, vault, admission, requestTimeoutMs = PART_TIMEOUT_MS } = dependencies;
  const response = await respond().catch((error): Awaited<ReturnType<typeof respond>> => toErrorResponse(error));
  reply.code(response.status).headers(response.headers);
  return reply.send(response.stream ?? response.body);

  function toErrorResponse(thrown: unknown): StreamableResponse & { final: boolean } {
    const error = toApiError(thrown);
    if (error.kind === 'internal') log.error({ err: thrown, ...namesOf(request) }, 'request: internal error');
    const response = handler.renderError(error);
    return { ...response, headers: { ...response.headers, ...error.headers }, final: error.final };
  }

  async function respond(): Promise<StreamableResponse & { stream?: Readable }> {
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
    const stream = streamBody(reply, beginning, rest, {
      turns: entry.openStream(),
      check,
      maxIdleMs: requestTimeoutMs,
    });
    return stream.once('error', err => log.error({ err, ...namesOf(request) }, 'request: streaming failed'));
  }

  async function work(context: Context, entry: Entry): Promise<StreamableResponse> {
    try {
      handler.guard(context);
    } catch (error) {
      // A request that succeeded before the suspension still gets its stored response; otherwise it would seem undone.
      const isSuspension = error instanceof ApiError && error.kind === 'suspended';
      const idempotentRequest = isSuspension ? idempotentRequestOf(context) : undefined;
      const kept = idempotentRequest && (await findStoredResponse(db, idempotentRequest));
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
    // Keys of browsers, operators and sessions have their own scopes, so that they can neither occupy nor read keys of the
    // merchant's server or of each other.
    const scope = { private: '', public: 'public ' }[keyKind as string] ?? `${keyKind} ${actor.id} `;
    const path = `${scope}${handler.path()}`;
    // No resource has a longer path, so there is no response to store.
    if (path.length > 300) return undefined;
    const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
    return { merchant_id, method: request.method, path, key, body_hash: hashOfBody(vault, body) };
  }
}
