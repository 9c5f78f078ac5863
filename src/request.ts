/** What both doors do with a request before and after its operation: who asks, under which Idempotency-Key, what is answered. */
import type { Client } from '@temporalio/client';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../prisma/generated/enums';
import { authenticate } from './access';
import type { Context } from './context';
import type { Database } from './database';
import { ApiError } from './errors';
import { toApiError } from './faults';
import { type Answer, once } from './idempotency';
import { newId } from './identifiers';
import type { Log } from './log';
import type { Keyring } from './merchants/keyring';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose key it was; empty until that is known. */
    merchant_id: string;
  }
}

/** What a server of one environment works with. */
export interface Parts {
  environment: Environment;
  db: Database;
  temporal: Client;
  keyring: Keyring;
  log: Log;
  /** How long a request may take to arrive. */
  patienceMs?: number;
}

export interface Door {
  /** The merchant that the path names. */
  merchant_id?: string;
  /** Whether a repeat is told from a first time by its Idempotency-Key. */
  repeatable: boolean;
  work(context: Context): Promise<Answer>;
  /** The answer of an error in the door's own form. */
  failure(error: ApiError): Answer;
}

/** Codes that say nothing about the work itself. */
const NOT_FINAL = /"error_code":(1000|1002|1004|1010)\b/;

export async function serve(
  { environment, keyring, db, log }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  door: Door,
) {
  const answer = await respond().catch((thrown): Answer => {
    const error = toApiError(thrown);
    if (error.kind === 'internal') log.error({ err: thrown, request_id: request.id }, 'unexpected fault');
    return door.failure(error);
  });
  reply.code(answer.status).headers(answer.headers);
  if (answer.status === 503) reply.header('retry-after', '5');
  return reply.send(answer.body);

  async function respond(): Promise<Answer> {
    const holder = await authenticate(keyring, environment, request.headers.authorization);
    if (door.merchant_id !== undefined && door.merchant_id !== holder.merchant_id)
      throw new ApiError('not_authenticated');
    const { merchant_id, kind: key } = holder;
    request.merchant_id = merchant_id;
    if (key === 'private' && request.headers.origin !== undefined && door.merchant_id !== undefined)
      throw new ApiError('private_key_needed');

    const work = (ids: typeof newId): Promise<Answer> =>
      door.work({ db, environment, merchant_id, key, request_id: request.id, newId: ids });
    const idempotencyKey = request.headers['idempotency-key'];
    const path = request.url.split('?')[0] ?? '';
    // A longer path names nothing that there is, so there is nothing to repeat.
    if (!door.repeatable || typeof idempotencyKey !== 'string' || path.length > 300) return work(newId);
    const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
    const { replayed, ...answer } = await once(
      db,
      { merchant_id, method: request.method, path, key: idempotencyKey, body },
      async ids => {
        const first = await work(ids).catch(thrown => {
          const error = toApiError(thrown);
          // Thrown on, so that it is logged; the claim is given back below.
          if (error.kind === 'internal') log.error({ err: thrown, request_id: request.id }, 'unexpected fault');
          return door.failure(error);
        });
        return { ...first, final: !NOT_FINAL.test(first.body) };
      },
    );
    return replayed ? { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } } : answer;
  }
}
