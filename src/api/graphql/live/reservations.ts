/**
 * Connections that carry many subscriptions, and what is asked of them. A request of such a client may reach any process,
 * so that both are kept in the database. Only the key or session that reserved a connection finds it.
 */
import type { LiveOperationModel } from '../../../../prisma/generated/models';
import type { KeyHolder } from '../../../accounts/merchants/apiKeyCache';
import type { Database } from '../../../platform/database/connection';
import { ApiError } from '../../../platform/errors';
import { newId } from '../../../platform/identifiers';

/** For how long one may stay unopened, and for how long one is kept of which its process says nothing. */
const LIFETIME_MS = 5 * 60_000;
/** Of a merchant, open or not. */
const MAX_RESERVATIONS = 1000;
const MAX_OPERATIONS = 50;

type StreamOwner = Pick<KeyHolder, 'merchant_id' | 'key_id'>;

export interface AskedOperation {
  request: string;
  since: string;
}

const aliveUntil = (): Date => new Date(Date.now() + LIFETIME_MS);

export async function reserveStream(db: Database, { merchant_id, key_id }: StreamOwner): Promise<string> {
  const reserved = await db.liveStream.count({ where: { merchant_id, alive_until: { gt: new Date() } } });
  if (reserved >= MAX_RESERVATIONS) throw new ApiError('too_many', 'too_many_reservations', { retry_after: 60 });
  const id = newId('stream');
  await db.liveStream.create({ data: { id, merchant_id, key_id, alive_until: aliveUntil() } });
  return id;
}

const isOfOwner = (id: string, { merchant_id, key_id }: StreamOwner) => ({
  id,
  merchant_id,
  key_id,
  alive_until: { gt: new Date() },
});

async function requireStream(db: Database, id: string, owner: StreamOwner): Promise<void> {
  const stream = await db.liveStream.findFirst({ where: isOfOwner(id, owner), select: { id: true } });
  if (!stream) throw new ApiError('not_found', 'unknown_stream');
}

/** Once. */
export async function openStream(db: Database, id: string, owner: StreamOwner): Promise<void> {
  const data = { opened_at: new Date(), alive_until: aliveUntil() };
  const { count } = await db.liveStream.updateMany({ where: { ...isOfOwner(id, owner), opened_at: null }, data });
  if (count > 0) return;
  await requireStream(db, id, owner);
  throw new ApiError('invalid_value', 'stream_opened', { field: 'token' });
}

/** Their process has them still. */
export const keepStreams = (db: Database, ids: string[]): Promise<unknown> =>
  db.liveStream.updateMany({ where: { id: { in: ids } }, data: { alive_until: aliveUntil() } });

export const removeStream = (db: Database, id: string): Promise<unknown> => db.liveStream.deleteMany({ where: { id } });

/** From now on nothing that happens is missed, whenever the connection's process begins with it. */
export async function addOperation(
  db: Database,
  stream_id: string,
  owner: StreamOwner,
  operation: { id: string; request: string },
): Promise<void> {
  await requireStream(db, stream_id, owner);
  const operations = await db.liveOperation.count({ where: { stream_id } });
  if (operations >= MAX_OPERATIONS)
    throw new ApiError('too_many', 'too_many_stream_operations', { retry_after: 60, max: MAX_OPERATIONS });
  const added = await db.$executeRaw`
    insert into live_operations (stream_id, id, request, since)
    select id, ${operation.id}, ${operation.request}, pg_current_snapshot()::text
    from live_streams where id = ${stream_id} on conflict do nothing`;
  if (added > 0) return;
  await requireStream(db, stream_id, owner);
  throw new ApiError('invalid_value', 'operation_id_taken', { field: 'extensions.operationId' });
}

/** One that has ended by itself is gone already. */
export async function removeOperation(db: Database, stream_id: string, owner: StreamOwner, id: string): Promise<void> {
  await requireStream(db, stream_id, owner);
  await db.liveOperation.deleteMany({ where: { stream_id, id } });
}

/** Where an id is used again, `since` is later: taking the first away was a transaction of its own. */
export type OperationName = Pick<LiveOperationModel, 'stream_id' | 'id' | 'since'>;

export const dropOperation = (db: Database, { stream_id, id, since }: OperationName): Promise<unknown> =>
  db.liveOperation.deleteMany({ where: { stream_id, id, since } });

/** What is asked of these streams. */
export const operationsOf = (db: Database, ids: string[]): Promise<OperationName[]> =>
  db.liveOperation.findMany({
    where: { stream_id: { in: ids } },
    select: { stream_id: true, id: true, since: true },
  });

export const findOperation = (db: Database, { stream_id, id, since }: OperationName): Promise<AskedOperation | null> =>
  db.liveOperation.findUnique({ where: { stream_id_id: { stream_id, id }, since } });
