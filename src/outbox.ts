/** Does and tells what follows from what the database says has happened. A row is deleted once that is done; doing it twice does no harm. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { WorkflowIdReusePolicy } from '@temporalio/common';
import { expiryId, NUDGE, TASK_QUEUE } from '../workflows/contract';
import type { Database } from './database';
import type { Log } from './log';
import { cancelSubscriptionsOf } from './subscriptions/activities';
import { nudgeSubscription, startSubscription } from './subscriptions/telling';

const BATCH = 200;
const AT_ONCE = 32;
const PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

/** What needs no Temporal, so that it waits for none. */
const here: Record<string, (db: Database, id: string) => Promise<unknown>> = {
  customer: cancelSubscriptionsOf,
};

const expiry = (id: string) => ({
  workflowId: expiryId(id),
  taskQueue: TASK_QUEUE,
  args: [id] as [string],
  workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
  staticSummary: 'Lets go of a reserved charge that nobody captures',
});

const elsewhere: Record<string, (db: Database, temporal: Client, id: string) => Promise<unknown>> = {
  authorized: (_, { workflow }, id) => workflow.start('expiry', expiry(id)),
  expiry: (_, { workflow }, id) => workflow.signalWithStart('expiry', { ...expiry(id), signal: NUDGE }),
  subscription: startSubscription,
  nudge: nudgeSubscription,
};

/** Answers how many it dealt with. What fails has its next turn a little later, and keeps nobody else from theirs. */
export async function relay(db: Database, temporal: Client): Promise<number> {
  const done = await relayKinds(db, Object.keys(here), (kind, id) => here[kind]?.(db, id));
  return done + (await relayKinds(db, Object.keys(elsewhere), (kind, id) => elsewhere[kind]?.(db, temporal, id)));
}

async function relayKinds(
  db: Database,
  kinds: string[],
  tell: (kind: string, id: string) => Promise<unknown> | undefined,
): Promise<number> {
  const where = { kind: { in: kinds }, again_at: { lte: new Date() } };
  const rows = await db.outbox.findMany({ where, orderBy: { id: 'asc' }, take: BATCH });
  // Who is nudged many times is nudged once.
  const wanted = new Map<string, typeof rows>();
  for (const row of rows) {
    const whom = `${row.kind} ${row.object_id}`;
    wanted.set(whom, [...(wanted.get(whom) ?? []), row]);
  }
  const [told, late]: [bigint[], bigint[]] = [[], []];
  let failure: unknown;
  const queue = [...wanted.values()].reverse();
  const teller = async (): Promise<void> => {
    for (let same = queue.pop(); same?.[0]; same = queue.pop()) {
      const { kind, object_id } = same[0];
      const ids = same.map(({ id }) => id);
      await tell(kind, object_id)
        ?.catch(isNoFailure)
        .then(
          () => told.push(...ids),
          error => {
            failure = error;
            late.push(...ids);
          },
        );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, teller));
  if (told.length > 0) await db.outbox.deleteMany({ where: { id: { in: told } } });
  if (late.length > 0) await postpone(db, late);
  // Nobody is there to be told.
  if (failure && told.length === 0) throw failure;
  return rows.length;
}

const postpone = (db: Database, ids: bigint[]): Promise<number> => db.$executeRaw`
  update outbox set tries = tries + 1, again_at = now() + make_interval(secs => least(2 ^ least(tries, 5), ${LONGEST_PAUSE_MS / 1000})) where id = any(${ids})`;

/** What is to be started is there, or what is to be nudged is over. */
function isNoFailure(error: unknown): void {
  if (!(error instanceof WorkflowExecutionAlreadyStartedError || error instanceof WorkflowNotFoundError)) throw error;
}

/** As long as the process lives. */
export async function keepRelaying(db: Database, temporal: Client, log: Log, stop: AbortSignal): Promise<void> {
  for (let pause = PAUSE_MS; !stop.aborted; ) {
    const told = await relay(db, temporal).catch(error => {
      if (pause === PAUSE_MS) log.warn(`the outbox waits: ${error.message}`);
      return -1;
    });
    pause = told < 0 ? Math.min(pause * 2, LONGEST_PAUSE_MS) : PAUSE_MS;
    if (told < BATCH) await sleep(pause, undefined, { signal: stop }).catch(() => undefined);
  }
}
