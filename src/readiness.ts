import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { TASK_QUEUE } from '../workflows/contract';
import type { Database } from './database';
import { newestMigration } from './migrations';
import { fromRoot } from './root';

export type Part = 'database' | 'temporal' | 'worker';
export type Readiness = Record<Part, 'up' | 'down' | 'unmigrated'>;

const newest = newestMigration(fromRoot('prisma/migrations'));
const PATIENCE = 2000;
/** A worker asks for work again at least every minute; one that has not for longer is gone. */
const POLL_MS = 70_000;

/** Asks every part, at most two seconds. The worker is up when somebody polls its task queue. */
export async function readiness(db: Database, temporal: Client): Promise<Readiness> {
  const queue = inTime(describeQueue(temporal));
  const [database, pollers] = await Promise.all([inTime(databaseState(db)), queue]);
  const freshest = Math.max(0, ...(pollers?.map(poller => Number(poller.lastAccessTime?.seconds ?? 0) * 1000) ?? []));
  return {
    database: database ?? 'down',
    temporal: pollers ? 'up' : 'down',
    worker: Date.now() - freshest < POLL_MS ? 'up' : 'down',
  };
}

/** Up means: with everything in it that this program needs. */
async function databaseState(db: Database): Promise<'up' | 'unmigrated'> {
  const [found] = await db.$queryRaw<
    { migrations: string | null }[]
  >`select to_regclass('_prisma_migrations')::text as migrations`;
  if (!found?.migrations) return 'unmigrated';
  const rows = await db.$queryRaw<unknown[]>`
    select 1 from _prisma_migrations where migration_name = ${await newest} and finished_at is not null`;
  return rows.length > 0 ? 'up' : 'unmigrated';
}

/** What is not answered in time is not tried again in the background. */
async function describeQueue({ connection, workflowService, options: { namespace } }: Client) {
  const { pollers } = await connection.withDeadline(Date.now() + PATIENCE, () =>
    workflowService.describeTaskQueue({ namespace, taskQueue: { name: TASK_QUEUE }, taskQueueType: 1 }),
  );
  return pollers;
}

export const answers = async (temporal: Client): Promise<boolean> =>
  (await inTime(describeQueue(temporal))) !== undefined;

/** Undefined when it fails or takes too long. */
async function inTime<T>(answer: Promise<T>): Promise<T | undefined> {
  const patience = new AbortController();
  const late = sleep(PATIENCE, undefined, { signal: patience.signal, ref: false }).catch(() => undefined);
  try {
    return await Promise.race([answer, late]);
  } catch {
    return undefined;
  } finally {
    patience.abort();
  }
}
