import type { FastifyInstance } from 'fastify';
import { TASK_QUEUE } from '../../workflows/contract';
import { missingSearchAttributes } from '../operations/background/temporalNamespace';
import { assertWritable, hasWorkerHeartbeat } from '../platform/database/heartbeats';
import { findPollers } from '../platform/temporal';
import { withinTimeout } from '../platform/timeout';
import { rejectOtherMethods } from './methodNotAllowed';
import type { ServerDependencies } from './request';
import { databaseState } from './rows';

type Component = 'database' | 'temporal' | 'worker';
export type Readiness = Record<Component, 'up' | 'down' | 'unmigrated' | 'unwritable' | 'unregistered'>;

const TIMEOUT_MS = 2000;
/** Workers poll at least once per minute. */
const MAX_POLL_AGE_MS = 70_000;

type ReadinessDependencies = Pick<ServerDependencies, 'db' | 'temporal' | 'environment' | 'taskQueue'>;

/** Their requests are not logged. */
export const PROBES: readonly string[] = ['/health', '/ready', '/ready/api'];

/**
 * `/health` responds while the process does. `/ready` fails if any component does, for monitoring. `/ready/api` fails only
 * if this API cannot answer requests, for load balancers: without a worker or Temporal it still charges.
 */
export function addProbes(server: FastifyInstance, dependencies: ReadinessDependencies): void {
  const check = readinessCheck(dependencies);
  server.get('/health', async () => ({ status: 'up' }));
  server.get('/ready', async (_, reply) => {
    const readiness = await check();
    return reply.status(Object.values(readiness).every(state => state === 'up') ? 200 : 503).send(readiness);
  });
  server.get('/ready/api', async (_, reply) => {
    const readiness = await check();
    return reply.status(readiness.database === 'up' ? 200 : 503).send(readiness);
  });
  for (const url of PROBES) rejectOtherMethods(server, url, ['GET']);
}

/** Concurrent requests share one check, because it writes to the database and needs no authentication. */
function readinessCheck(dependencies: ReadinessDependencies): () => Promise<Readiness> {
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
 * hangs stays connected to Temporal. Heartbeats are ignored while the database accepts no writes. A worker that may not
 * register search attributes polls too, but no workflow can start.
 */
async function checkReadiness(dependencies: ReadinessDependencies): Promise<Readiness> {
  const { db, temporal, environment, taskQueue = TASK_QUEUE } = dependencies;
  const [answer, isWritable, hasBeaten, pollers, missing] = await Promise.all([
    withinTimeout(databaseState(db), TIMEOUT_MS),
    withinTimeout(
      assertWritable(db).then(() => true),
      TIMEOUT_MS,
    ),
    withinTimeout(hasWorkerHeartbeat(db, environment), TIMEOUT_MS),
    findPollers(temporal, TIMEOUT_MS, taskQueue),
    withinTimeout(
      temporal.connection.withDeadline(Date.now() + TIMEOUT_MS, () => missingSearchAttributes(temporal)),
      TIMEOUT_MS,
    ),
  ]);
  const lastPollMs = Math.max(0, ...(pollers?.map(poller => Number(poller.lastAccessTime?.seconds ?? 0) * 1000) ?? []));
  const isPolling = Date.now() - lastPollMs < MAX_POLL_AGE_MS;
  const isAlive = !isWritable || hasBeaten !== false;
  const isRegistered = Object.keys(missing ?? {}).length === 0;
  return {
    database: answer === 'up' && !isWritable ? 'unwritable' : (answer ?? 'down'),
    temporal: pollers ? 'up' : 'down',
    worker: !isPolling || !isAlive ? 'down' : isRegistered ? 'up' : 'unregistered',
  };
}
