/**
 * Idempotency-Key: a retry gets the first response, byte for byte. The key is claimed in the database before the operation,
 * with a short lease and a seed for its IDs. If the process dies, the lease expires; a retry uses the same seed, so it
 * finds completed work and does not repeat it.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { Prisma } from '../../prisma/generated/client';
import { type Database, queryRows } from '../platform/database/connection';
import { ApiError } from '../platform/errors';
import { idsFrom, type newId } from '../platform/identifiers';
import type { Context } from '../schema/operation/context';

export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** `final` is false if the response is not an outcome (errors 1000, 1002, 1004, 1008, 1010, 1011): a retry runs again. */
type IdempotentWork = (newSeededId: typeof newId) => Promise<HttpResponse & { final: boolean }>;

export interface IdempotentRequest {
  merchant_id: string;
  method: string;
  path: string;
  key: string;
  body_hash: Uint8Array<ArrayBuffer>;
}

interface IdempotencyRow {
  body_hash: Uint8Array;
  seed: Uint8Array;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
  claimed: boolean;
}

interface WaitOptions extends Partial<Pick<Context, 'yieldSlotWhile'>> {
  maxWaitMs?: number;
}

const LEASE_SECONDS = 5;
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
export async function findKept(db: Database, request: IdempotentRequest): Promise<HttpResponse | undefined> {
  const { merchant_id, method, path, key } = request;
  const where = { merchant_id_method_path_key: { merchant_id, method, path, key } };
  const row = (await db.idempotentReply.findUnique({ where })) as IdempotencyRow | null;
  if (!row || row.status === null || !isSameBody(request, row)) return undefined;
  return { status: row.status, headers: row.headers ?? {}, body: row.body ?? '' };
}

const isSameBody = ({ body_hash }: IdempotentRequest, row: IdempotencyRow): boolean =>
  Buffer.from(body_hash).equals(row.body_hash);

/**
 * One SQL statement: inserts the row, takes over an expired lease, or reads the existing row. Undefined if another request
 * inserted the row after the snapshot of the statement; the next attempt sees it.
 */
async function claim(db: Database, request: IdempotentRequest): Promise<IdempotencyRow | undefined> {
  const { merchant_id, method, path, key, body_hash } = request;
  const [row] = await queryRows<IdempotencyRow>(
    db,
    Prisma.sql`
    with claimed as (
      insert into idempotent_replies as existing (merchant_id, method, path, key, body_hash, seed, lease_until)
      values (${merchant_id}, ${method}, ${path}, ${key}, ${body_hash}, ${randomBytes(16)},
        now() + make_interval(secs => ${LEASE_SECONDS}))
      on conflict (merchant_id, method, path, key) do update set lease_until = excluded.lease_until
      where existing.status is null and existing.lease_until < now()
        and existing.body_hash = excluded.body_hash
      returning body_hash, seed, status, headers, body, true as claimed
    )
    select * from claimed
    union all
    select body_hash, seed, status, headers, body, false from idempotent_replies
    where (merchant_id, method, path, key) = (${merchant_id}, ${method}, ${path}, ${key})
      and not exists (select from claimed)`,
  );
  return row;
}

/** If another process took over the lease and stored a response first, that response wins. */
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
    const stored = count === 0 ? await findKept(db, request) : undefined;
    return stored ? { ...stored, replayed: true } : { ...response, replayed: false };
  } finally {
    clearInterval(leaseRenewal);
  }
}

/** Keeps the lease of a long operation. */
const extendLease = (
  db: Database,
  { merchant_id, method, path, key }: IdempotentRequest,
): Promise<number> => db.$executeRaw`
  update idempotent_replies set lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
  where (merchant_id, method, path, key) = (${merchant_id}, ${method}, ${path}, ${key}) and status is null`;
