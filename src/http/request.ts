/** What both doors do with a request before and after its operation: who asks, under which Idempotency-Key, what is answered. */
import type { Client } from '@temporalio/client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../../prisma/generated/enums';
import type { Acquirer } from '../acquirer/port';
import type { Context } from '../context';
import type { Database } from '../database/connection';
import type { ApiKeyCache } from '../merchants/keyring';
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
    /** Whose key it was; empty until that is known. */
    merchant_id: string;
    /** Whether it is known to have changed nothing. */
    isReading: boolean;
  }
}

/** What a server of one environment works with. */
export interface ServerDependencies {
  environment: Environment;
  db: Database;
  temporal: Client;
  /** Where payers find our pages. */
  publicUrl: string;
  /** Proxies whose word is taken for who asks. */
  trustedProxies?: string[];
  keyring: ApiKeyCache;
  vault: VaultKeys;
  acquirer: Acquirer;
  /** What the acquirer signs its notifications with. */
  acquirerKey: string;
  log: Log;
  /** How long a request may take to arrive. */
  patienceMs?: number;
}

export interface RequestHandler {
  /** The merchant that the path names. */
  merchant_id?: string;
  /** Where the door leads, spelled one way however the request spelled it. */
  path: string;
  /** Whether a repeat is told from a first time by its Idempotency-Key. */
  takesIdempotencyKey: boolean;
  /** Refuses before the Idempotency-Key is looked at, so that no first answer reaches who may not ask. */
  guard(context: Context): void;
  /** `final` unless the answer says nothing about the work itself. */
  perform(context: Context): Promise<HttpResponse & { final?: boolean }>;
  /** The answer of an error in the door's own form. */
  renderError(error: ApiError): HttpResponse;
}

export const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** Codes that say nothing about the work itself: the repeat tries again. */
export const isFinalError = (error_code: unknown): boolean => ![1000, 1002, 1004, 1010].includes(Number(error_code));

/** Who asks, and what the operation needs. */
export async function createContext(
  { environment, keyring, db, vault, acquirer, temporal, publicUrl }: ServerDependencies,
  request: FastifyRequest,
  named?: string,
): Promise<Context> {
  const holder = await authenticate(keyring, environment, request.headers.authorization);
  if (named !== undefined && named !== holder.merchant_id) throw new ApiError('not_authenticated');
  const { merchant_id, kind: key } = holder;
  request.merchant_id = merchant_id;
  if (key === 'private' && request.headers.origin !== undefined && named !== undefined)
    throw new ApiError('private_key_needed');
  const parts = { db, environment, vault, acquirer, temporal, publicUrl };
  return { ...parts, merchant_id, key, request_id: request.id, newId };
}

export async function handleRequest(
  parts: ServerDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  door: RequestHandler,
) {
  const { db, log, vault } = parts;
  const answer = await respond().catch(refuse);
  reply.code(answer.status).headers(answer.headers);
  if (answer.status === 503) reply.header('retry-after', '5');
  return reply.send(answer.body);

  function refuse(thrown: unknown): HttpResponse & { final: boolean } {
    const error = toApiError(thrown);
    if (error.kind === 'internal') log.error({ err: thrown, request_id: request.id }, 'unexpected fault');
    return { ...door.renderError(error), final: isFinalError(error.error_code) };
  }

  async function respond(): Promise<HttpResponse> {
    const context = await createContext(parts, request, door.merchant_id);
    door.guard(context);
    const idempotencyKey = readIdempotencyKey(request);
    // A longer path names nothing that there is, so there is nothing to repeat.
    if (!door.takesIdempotencyKey || idempotencyKey === undefined || door.path.length > 300)
      return door.perform(context);
    const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
    // Keyed, since a body may hold a card number, and of that a plain hash would tell too much.
    const body_hash = fingerprint(vault, body);
    const { merchant_id } = context;
    const claim = { merchant_id, method: request.method, path: door.path, key: idempotencyKey, body_hash };
    const { replayed, ...kept } = await runOnce(db, claim, async ids => {
      const answer = await door.perform({ ...context, newId: ids }).catch(refuse);
      return { final: true, ...answer, body: sealSecrets(vault, answer.body) };
    });
    const answer = { ...kept, body: unsealSecrets(vault, kept.body) };
    return replayed ? { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } } : answer;
  }
}

function readIdempotencyKey({ headers, raw }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  const times = raw.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'idempotency-key').length;
  if (typeof key !== 'string' || key === '' || times > 1) {
    throw new ApiError('malformed', 'Idempotency-Key must be given once and not be empty');
  }
  return key;
}
