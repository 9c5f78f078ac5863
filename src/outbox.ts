/** Tells Temporal what the database says has happened. A row is deleted once it is told; telling twice does no harm. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { WorkflowIdReusePolicy } from '@temporalio/common';
import { expiryId, TASK_QUEUE } from '../workflows/contract';
import type { Database } from './database';
import type { Log } from './log';

const BATCH = 100;
const PAUSE_MS = 500;

const kinds: Record<string, (temporal: Client, id: string) => Promise<unknown>> = {
  authorized: ({ workflow }, id) =>
    workflow.start('expiry', {
      workflowId: expiryId(id),
      taskQueue: TASK_QUEUE,
      args: [id],
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
      staticSummary: 'Lets go of a reserved charge that nobody captures',
    }),
};

export async function relay(db: Database, temporal: Client): Promise<number> {
  const rows = await db.outbox.findMany({ orderBy: { id: 'asc' }, take: BATCH });
  for (const { id, kind, object_id } of rows) {
    await kinds[kind]?.(temporal, object_id).catch(error => {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    });
    await db.outbox.deleteMany({ where: { id } });
  }
  return rows.length;
}

/** As long as the process lives. */
export async function keepRelaying(db: Database, temporal: Client, log: Log, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const told = await relay(db, temporal).catch(error => {
      log.warn(`the outbox waits: ${error.message}`);
      return 0;
    });
    if (told < BATCH) await sleep(PAUSE_MS, undefined, { signal: stop }).catch(() => undefined);
  }
}
