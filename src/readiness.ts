import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { TASK_QUEUE } from '../workflows/contract';
import type { Database } from './database';

export type Part = 'database' | 'temporal' | 'worker';
export type Readiness = Record<Part, 'up' | 'down'>;

const PATIENCE = 2000;
/** A worker asks for work again at least every minute; one that has not for longer is gone. */
const POLL_MS = 70_000;

/** Asks every part, at most two seconds. The worker is up when somebody polls its task queue. */
export async function readiness(db: Database, temporal: Client): Promise<Readiness> {
  const queue = inTime(describeQueue(temporal));
  const [database, pollers] = await Promise.all([inTime(db.$queryRaw`select 1`), queue]);
  const freshest = Math.max(0, ...(pollers?.map(poller => Number(poller.lastAccessTime?.seconds ?? 0) * 1000) ?? []));
  return {
    database: database ? 'up' : 'down',
    temporal: pollers ? 'up' : 'down',
    worker: Date.now() - freshest < POLL_MS ? 'up' : 'down',
  };
}

async function describeQueue({ workflowService, options: { namespace } }: Client) {
  const { pollers } = await workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: TASK_QUEUE },
    taskQueueType: 1,
  });
  return pollers;
}

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
