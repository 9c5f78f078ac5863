/**
 * Idempotency-Key: a retry gets the first response, byte for byte. The key is claimed in the database before the operation,
 * with a short lease and a seed for its IDs. If the process dies, the lease expires; a retry uses the same seed, so it
 * finds completed work and does not repeat it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { Database } from '../platform/database/connection';
import { ApiError } from '../platform/errors';
import { idsFrom, type newId } from '../platform/identifiers';
import type { Context } from '../schema/operation/context';
import { claim, extendLease, type IdempotencyRow, type IdempotentRequest, LEASE_SECONDS } from './rows';

export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** `final` is false if the response is not an outcome (errors 1000, 1002, 1004, 1008, 1010, 1011): a retry runs again. */
type IdempotentWork = (newSeededId: typeof newId) => Promise<HttpResponse & { final: boolean }>;

interface WaitOptions extends Partial<Pick<Context, 'yieldSlotWhile'>> {
  maxWaitMs?: number;
}

const MAX_WAIT_MS = 30_000;
const POLL_INTERVAL_MS = 50;

export function readIdempotencyKey({ headers, raw }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  const occurrences = raw.rawHeaders.filter(
    (name, i) => i % 2 === 0 && name.toLowerCase() === 'idempotency-key',
  ).length;
  if (typeof key !== 'string' || key === '' || occurrences > 1) {
    throw new ApiError('malformed', 'idempotency_key_once');
  }
  return key;
}

export async function runOnce(
  db: Database,
  request: IdempotentRequest,
  work: IdempotentWork,
  { maxWaitMs = MAX_WAIT_MS, yieldSlotWhile = io => io() }: WaitOptions = {},
): Promise<HttpResponse & { replayed: boolean }> {
  if (request.key.length > 255) throw new ApiError('malformed', 'idempotency_key_too_long');
  const deadline = Date.now() + maxWaitMs;
  for (;;) {
    const row = await claim(db, request);
    if (row && !isSameBody(request, row)) throw new ApiError('invalid_value', 'idempotency_key_reused');
    if (row && row.status !== null)
      return { status: row.status, headers: row.headers ?? {}, body: row.body ?? '', replayed: true };
    if (row?.claimed) return runAndStore(db, request, row.seed, work);
    if (Date.now() > deadline) throw new ApiError('unavailable', 'idempotency_key_busy');
    await yieldSlotWhile(() => sleep(POLL_INTERVAL_MS));
  }
}

/** The stored response to an earlier request with this key and body. */
export async function findStoredResponse(db: Database, request: IdempotentRequest): Promise<HttpResponse | undefined> {
  const { merchant_id, method, path, key } = request;
  const where = { merchant_id_method_path_key: { merchant_id, method, path, key } };
  const row = (await db.idempotentReply.findUnique({ where })) as IdempotencyRow | null;
  if (!row || row.status === null || !isSameBody(request, row)) return undefined;
  return { status: row.status, headers: row.headers ?? {}, body: row.body ?? '' };
}

const isSameBody = ({ body_hash }: IdempotentRequest, row: IdempotencyRow): boolean =>
  Buffer.from(body_hash).equals(row.body_hash);

/** If another process took this one for dead and was first to store a response, that response counts. */
async function runAndStore(
  db: Database,
  request: IdempotentRequest,
  seed: Uint8Array,
  work: IdempotentWork,
): Promise<HttpResponse & { replayed: boolean }> {
  const { merchant_id, method, path, key } = request;
  const leaseRenewal = setInterval(() => extendLease(db, request).catch(() => undefined), (LEASE_SECONDS * 1000) / 3);
  try {
    const { final, ...response } = await work(idsFrom(seed));
    const data = final ? response : { lease_until: new Date(0) };
    const { count } = await db.idempotentReply.updateMany({
      where: { merchant_id, method, path, key, status: null },
      data,
    });
    const stored = count === 0 ? await findStoredResponse(db, request) : undefined;
    return stored ? { ...stored, replayed: true } : { ...response, replayed: false };
  } finally {
    clearInterval(leaseRenewal);
  }
}
