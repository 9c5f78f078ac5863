/** Does and tells what follows from what the database says has happened. A row is deleted once that is done, by whoever took it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { Prisma } from '../../prisma/generated/client';
import { startExpiryWorkflow } from '../charges/pending/startWorkflow';
import type { Database } from '../database/connection';
import { MAX_CONNECTIONS, type Mailer } from '../mail/mailer';
import { sendPaymentMail } from '../mail/paymentMail';
import { sendWebhookDisabledMail } from '../mail/webhookDisabledMail';
import type { Log } from '../platform/log';
import { cancelSubscriptionsOf } from '../subscriptions/billing/activities';
import { nudgeSubscriptionWorkflow, startSubscriptionWorkflow } from '../subscriptions/billing/startWorkflow';
import { startDeliveryWorkflow } from '../webhooks/delivery/startWorkflow';

const MAX_CONCURRENT = 32;
const MIN_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5000;

export interface OutboxHandlers {
  /** What is done with an object, by the kind of its row. */
  handlers: Record<string, (id: string) => Promise<unknown>>;
  /** How many are taken at once, and for how long: whoever takes them and dies leaves them to others after that. */
  maxBatchRows: number;
  leaseSeconds: number;
  /** How long what fails waits at most. */
  maxPauseSeconds: number;
}

const quick = { maxBatchRows: 200, leaseSeconds: 20, maxPauseSeconds: 5 };

/** What needs nobody else, so that it waits for none. */
export const localHandlers = (db: Database): OutboxHandlers => ({
  ...quick,
  handlers: { customer: id => cancelSubscriptionsOf(db, id) },
});

export const temporalHandlers = (db: Database, temporal: Client): OutboxHandlers => ({
  ...quick,
  handlers: {
    expiry: id => startExpiryWorkflow(db, temporal, id),
    // As it was called before payments could wait.
    authorized: id => startExpiryWorkflow(db, temporal, id),
    subscription: id => startSubscriptionWorkflow(db, temporal, id),
    nudge: id => nudgeSubscriptionWorkflow(db, temporal, id),
    delivery: id => startDeliveryWorkflow(db, temporal, id),
  },
});

/** No more than are sent at once, for longer than that can take: a letter that two send is two letters. */
export const mailHandlers = (db: Database, mailer: Mailer): OutboxHandlers => ({
  maxBatchRows: MAX_CONNECTIONS,
  leaseSeconds: 120,
  maxPauseSeconds: 600,
  handlers: {
    payment_mail: id => sendPaymentMail(db, mailer, id),
    webhook_mail: id => sendWebhookDisabledMail(db, mailer, id),
  },
});

/** Answers how many it dealt with. What fails has its next turn a little later, and keeps nobody else from theirs. */
export async function drainOutbox(db: Database, tellers: OutboxHandlers): Promise<number> {
  const { handlers: kinds } = tellers;
  const rows = await claimRows(db, tellers);
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
      await kinds[kind]?.(object_id)
        .catch(ignoreIfUnneeded)
        .then(
          () => told.push(...ids),
          error => {
            failure = error;
            late.push(...ids);
          },
        );
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, teller));
  if (told.length > 0) await db.outbox.deleteMany({ where: { id: { in: told } } });
  if (late.length > 0) await postpone(db, late, tellers.maxPauseSeconds);
  // Nobody is there to be told.
  if (failure && told.length === 0) throw failure;
  return rows.length;
}

type OutboxRow = { id: bigint; kind: string; object_id: string };

/** Each row by one process at a time. */
async function claimRows(
  db: Database,
  { handlers: kinds, maxBatchRows: batch, leaseSeconds }: OutboxHandlers,
): Promise<OutboxRow[]> {
  const rows = await db.$queryRaw<OutboxRow[]>`
    update outbox set again_at = now() + make_interval(secs => ${leaseSeconds}) where id in (
      select id from outbox where kind in (${Prisma.join(Object.keys(kinds))}) and again_at <= now()
      order by again_at, id limit ${batch} for update skip locked)
    returning id, kind, object_id`;
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

const postpone = (db: Database, ids: bigint[], longest: number): Promise<number> => db.$executeRaw`
  update outbox set tries = tries + 1, again_at = now() + make_interval(secs => least(2 ^ least(tries, 12), ${longest})) where id = any(${ids})`;

/** What is to be started is there, or what is to be nudged is over. */
function ignoreIfUnneeded(error: unknown): void {
  if (!(error instanceof WorkflowExecutionAlreadyStartedError || error instanceof WorkflowNotFoundError)) throw error;
}

/** As long as the process lives. */
export async function keepDraining(db: Database, tellers: OutboxHandlers, log: Log, stop: AbortSignal): Promise<void> {
  for (let pause = MIN_PAUSE_MS; !stop.aborted; ) {
    const told = await drainOutbox(db, tellers).catch(error => {
      if (pause === MIN_PAUSE_MS) log.warn(`the outbox waits: ${error.message}`);
      return -1;
    });
    pause = told < 0 ? Math.min(pause * 2, MAX_PAUSE_MS) : MIN_PAUSE_MS;
    if (told < tellers.maxBatchRows) await sleep(pause, undefined, { signal: stop }).catch(() => undefined);
  }
}
