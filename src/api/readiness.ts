import { TASK_QUEUE } from '../../workflows/contract';
import { assertWritable, hasWorkerHeartbeat } from '../platform/database/heartbeats';
import { findPollers } from '../platform/temporal';
import { withinTimeout } from '../platform/timeout';
import type { ServerDependencies } from './request';
import { databaseState } from './rows';

type Component = 'database' | 'temporal' | 'worker';
export type Readiness = Record<Component, 'up' | 'down' | 'unmigrated' | 'unwritable'>;

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
      assertWritable(db).then(() => true),
      TIMEOUT_MS,
    ),
    withinTimeout(hasWorkerHeartbeat(db, environment), TIMEOUT_MS),
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
