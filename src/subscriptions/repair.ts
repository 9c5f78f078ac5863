/** Finds subscriptions whose workflow was lost, terminated or wiped out with its server, and has them begun again. */
import type { Client } from '@temporalio/client';
import { subscriptionId } from '../../workflows/contract';
import type { Database } from '../database';

const RUNNING = `WorkflowType = 'subscription' AND ExecutionStatus = 'Running'`;
const PAGE = 1000;

/** Visibility lags behind: one that was just created or is just being told of is left in peace. */
export async function repairSubscriptions(db: Database, temporal: Client): Promise<{ count: number }> {
  const [running, [live]] = await Promise.all([
    temporal.workflow.count(RUNNING),
    db.$queryRaw<
      { count: bigint }[]
    >`select count(*) from subscriptions where status not in ('new', 'cancelled') or open is not null`,
  ]);
  const late = await db.$executeRaw`
    insert into outbox (kind, object_id)
    select 'nudge', s.id from subscriptions s join merchants m on m.id = s.merchant_id join customers c on c.id = s.customer_id
    where s.status not in ('new', 'cancelled') and s.open is null
      and s.due_at < now() + make_interval(secs => greatest(m.clock_offset, c.clock_offset, s.clock_offset)) - interval '10 minutes'`;
  if (running.count >= Number(live?.count ?? 0)) return { count: late };

  const known = new Set<string>();
  for await (const { workflowId } of temporal.workflow.list({ query: RUNNING, pageSize: PAGE })) known.add(workflowId);
  let count = late;
  for (let last = ''; ; ) {
    const rows = await db.$queryRaw<{ id: string }[]>`
      select id from subscriptions where id > ${last} and (status not in ('new', 'cancelled') or open is not null)
      order by id limit ${PAGE}`;
    if (rows.length === 0) return { count };
    last = rows.at(-1)?.id ?? last;
    const lost = rows.map(({ id }) => id).filter(id => !known.has(subscriptionId(id)));
    count += await db.$executeRaw`insert into outbox (kind, object_id) select 'nudge', unnest(${lost}::varchar[])`;
  }
}
