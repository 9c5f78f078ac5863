import { TASK_QUEUE } from '../../workflows/contract';
import type { Database } from '../platform/database/connection';
import { hasWorkerBeaten, proveWritable } from '../platform/database/heartbeats';
import { newestMigration } from '../platform/database/migrations';
import { fromRoot } from '../platform/root';
import { findPollers } from '../platform/temporal';
import { withinTimeout } from '../platform/timeout';
import type { ServerDependencies } from './request';

type Component = 'database' | 'temporal' | 'worker';
export type Readiness = Record<Component, 'up' | 'down' | 'unmigrated' | 'unwritable'>;

const requiredMigration = newestMigration(fromRoot('prisma/migrations'));
const TIMEOUT_MS = 2000;
/** Workers poll at least once per minute. */
const MAX_POLL_AGE_MS = 70_000;

type ReadinessDependencies = Pick<ServerDependencies, 'db' | 'temporal' | 'environment' | 'taskQueue'>;

/** Concurrent requests share one check, because it writes to the database and needs no authentication. */
export function readinessCheck(dependencies: ReadinessDependencies): () => Promise<Readiness> {
  let current: Promise<Readiness> | undefined;
  return () => {
    current ??= checkReadiness(dependencies).finally(() => {
      current = undefined;
    });
    return current;
  };
}

/**
 * Checks all components within two seconds. A worker must both poll its task queue and have a heartbeat, because one that
 * hangs stays connected to Temporal. Heartbeats are ignored while the database accepts no writes.
 */
async function checkReadiness(dependencies: ReadinessDependencies): Promise<Readiness> {
  const { db, temporal, environment, taskQueue = TASK_QUEUE } = dependencies;
  const [answer, isWritable, hasBeaten, pollers] = await Promise.all([
    withinTimeout(databaseState(db), TIMEOUT_MS),
    withinTimeout(
      proveWritable(db).then(() => true),
      TIMEOUT_MS,
    ),
    withinTimeout(hasWorkerBeaten(db, environment), TIMEOUT_MS),
    findPollers(temporal, TIMEOUT_MS, taskQueue),
  ]);
  const lastPollMs = Math.max(0, ...(pollers?.map(poller => Number(poller.lastAccessTime?.seconds ?? 0) * 1000) ?? []));
  const isPolling = Date.now() - lastPollMs < MAX_POLL_AGE_MS;
  const isAlive = !isWritable || hasBeaten !== false;
  return {
    database: answer === 'up' && !isWritable ? 'unwritable' : (answer ?? 'down'),
    temporal: pollers ? 'up' : 'down',
    worker: isPolling && isAlive ? 'up' : 'down',
  };
}

/** A database is up only if it has all migrations of this program. */
async function databaseState(db: Database): Promise<'up' | 'unmigrated'> {
  const [table] = await db.$queryRaw<{ name: string | null }[]>`
    select to_regclass('_prisma_migrations')::text as name`;
  if (!table?.name) return 'unmigrated';
  const rows = await db.$queryRaw<unknown[]>`
    select 1 from _prisma_migrations where migration_name = ${await requiredMigration} and finished_at is not null`;
  return rows.length > 0 ? 'up' : 'unmigrated';
}
