/** Finds subscriptions whose workflow was lost, terminated or wiped out with its server, and has them begun again. */
import type { Client } from '@temporalio/client';
import { Prisma } from '../../../prisma/generated/client';
import { subscriptionWorkflowId } from '../../../workflows/contract';
import type { Database } from '../../database/connection';

const RUNNING = `WorkflowType = 'subscription' AND ExecutionStatus = 'Running'`;
const PAGE = 1000;

/** Of those that have not ended, or whose last attempt is not settled. One that waits for its first charge has none yet. */
const LIVE = Prisma.raw(`(status not in ('new', 'cancelled') or (status = 'cancelled' and open is not null))`);

/** Being told twice does no harm, so what is just being told of is told again. */
export async function repairSubscriptions(db: Database, temporal: Client): Promise<{ count: number }> {
  const late = (await nudgeLate(db)) + (await nudgeLateInSandbox(db));
  const [running, [live]] = await Promise.all([
    temporal.workflow.count(RUNNING),
    db.$queryRaw<{ count: bigint }[]>`select count(*) from subscriptions where ${LIVE}`,
  ]);
  if (running.count >= Number(live?.count ?? 0)) return { count: late };

  const known = new Set<string>();
  for await (const { workflowId } of temporal.workflow.list({ query: RUNNING, pageSize: PAGE })) known.add(workflowId);
  let count = late;
  for (let last = ''; ; ) {
    const rows = await db.$queryRaw<{ id: string }[]>`
      select id from subscriptions where id > ${last} and ${LIVE} order by id limit ${PAGE}`;
    if (rows.length === 0) return { count };
    last = rows.at(-1)?.id ?? last;
    const lost = rows.map(({ id }) => id).filter(id => !known.has(subscriptionWorkflowId(id)));
    count += await queueNudges(db, Prisma.sql`select unnest(${lost}::varchar[]) as id`);
  }
}

const queueNudges = (db: Database, lost: Prisma.Sql): Promise<number> => db.$executeRaw`
  insert into outbox (kind, object_id) select 'nudge', id from (${lost}) as lost
  where not exists (select from outbox where object_id = lost.id)`;

/** What should have happened ten minutes ago by real time should have happened by any clock. */
const nudgeLate = (db: Database): Promise<number> =>
  queueNudges(
    db,
    Prisma.sql`select id from subscriptions where due_at < now() - interval '10 minutes' and (status <> 'cancelled' or open is not null)
      and status <> 'new' and open is null`,
  );

/** Only there clocks are ahead. */
const nudgeLateInSandbox = (db: Database): Promise<number> =>
  queueNudges(
    db,
    Prisma.sql`select s.id from subscriptions s join merchants m on m.id = s.merchant_id join customers c on c.id = s.customer_id
      where m.environment = 'sandbox' and s.status not in ('new', 'cancelled') and s.open is null and s.clock_to is null
        and greatest(m.clock_offset, c.clock_offset, s.clock_offset) > 0
        and s.due_at < now() + make_interval(secs => greatest(m.clock_offset, c.clock_offset, s.clock_offset)) - interval '10 minutes'`,
  );
