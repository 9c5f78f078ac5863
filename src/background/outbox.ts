/** Does and tells what follows from what the database says has happened. A row is deleted once that is done, by whoever took it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { Prisma } from '../../prisma/generated/client';
import { tellExpiry } from '../charges/pending/startWorkflow';
import type { Database } from '../database/connection';
import { AT_ONCE_BY_MAIL, type Mailer } from '../mail/mailer';
import { mailPayment } from '../mail/paymentMail';
import { mailDisabled } from '../mail/webhookDisabledMail';
import type { Log } from '../platform/log';
import { cancelSubscriptionsOf } from '../subscriptions/billing/activities';
import { nudgeSubscription, startSubscription } from '../subscriptions/billing/startWorkflow';
import { tellDelivery } from '../webhooks/delivery/startWorkflow';

const AT_ONCE = 32;
const PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

export interface Tellers {
  /** What is done with an object, by the kind of its row. */
  kinds: Record<string, (id: string) => Promise<unknown>>;
  /** How many are taken at once, and for how long: whoever takes them and dies leaves them to others after that. */
  batch: number;
  leaseSeconds: number;
  /** How long what fails waits at most. */
  longestPauseSeconds: number;
}

const quick = { batch: 200, leaseSeconds: 20, longestPauseSeconds: 5 };

/** What needs nobody else, so that it waits for none. */
export const here = (db: Database): Tellers => ({ ...quick, kinds: { customer: id => cancelSubscriptionsOf(db, id) } });

export const byTemporal = (db: Database, temporal: Client): Tellers => ({
  ...quick,
  kinds: {
    expiry: id => tellExpiry(db, temporal, id),
    // As it was called before payments could wait.
    authorized: id => tellExpiry(db, temporal, id),
    subscription: id => startSubscription(db, temporal, id),
    nudge: id => nudgeSubscription(db, temporal, id),
    delivery: id => tellDelivery(db, temporal, id),
  },
});

/** No more than are sent at once, for longer than that can take: a letter that two send is two letters. */
export const byMail = (db: Database, mailer: Mailer): Tellers => ({
  batch: AT_ONCE_BY_MAIL,
  leaseSeconds: 120,
  longestPauseSeconds: 600,
  kinds: { payment_mail: id => mailPayment(db, mailer, id), webhook_mail: id => mailDisabled(db, mailer, id) },
});

/** Answers how many it dealt with. What fails has its next turn a little later, and keeps nobody else from theirs. */
export async function relay(db: Database, tellers: Tellers): Promise<number> {
  const { kinds } = tellers;
  const rows = await take(db, tellers);
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
        .catch(isNoFailure)
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
  if (late.length > 0) await postpone(db, late, tellers.longestPauseSeconds);
  // Nobody is there to be told.
  if (failure && told.length === 0) throw failure;
  return rows.length;
}

type Row = { id: bigint; kind: string; object_id: string };

/** Each row by one process at a time. */
async function take(db: Database, { kinds, batch, leaseSeconds }: Tellers): Promise<Row[]> {
  const rows = await db.$queryRaw<Row[]>`
    update outbox set again_at = now() + make_interval(secs => ${leaseSeconds}) where id in (
      select id from outbox where kind in (${Prisma.join(Object.keys(kinds))}) and again_at <= now()
      order by again_at, id limit ${batch} for update skip locked)
    returning id, kind, object_id`;
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

const postpone = (db: Database, ids: bigint[], longest: number): Promise<number> => db.$executeRaw`
  update outbox set tries = tries + 1, again_at = now() + make_interval(secs => least(2 ^ least(tries, 12), ${longest})) where id = any(${ids})`;

/** What is to be started is there, or what is to be nudged is over. */
function isNoFailure(error: unknown): void {
  if (!(error instanceof WorkflowExecutionAlreadyStartedError || error instanceof WorkflowNotFoundError)) throw error;
}

/** As long as the process lives. */
export async function keepRelaying(db: Database, tellers: Tellers, log: Log, stop: AbortSignal): Promise<void> {
  for (let pause = PAUSE_MS; !stop.aborted; ) {
    const told = await relay(db, tellers).catch(error => {
      if (pause === PAUSE_MS) log.warn(`the outbox waits: ${error.message}`);
      return -1;
    });
    pause = told < 0 ? Math.min(pause * 2, LONGEST_PAUSE_MS) : PAUSE_MS;
    if (told < tellers.batch) await sleep(pause, undefined, { signal: stop }).catch(() => undefined);
  }
}
