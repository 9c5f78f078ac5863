/** Restarts the workflows of subscriptions whose workflow was lost, terminated or deleted with its server. */
import type { Client } from '@temporalio/client';
import { Prisma } from '../../../../prisma/generated/client';
import { subscriptionWorkflowId } from '../../../../workflows/subscriptionContract';
import { merchantIsActive } from '../../../accounts/merchants/suspension';
import type { Database } from '../../../platform/database/connection';
import { andIn, BOTH_ENVIRONMENTS, type Environments, merchantsOf } from '../../../platform/database/environments';
import { insertOutbox } from '../../../platform/database/outbox';
import { isUnheld } from '../../holds/rows';

/** Includes paused workflows. `CloseTime IS NULL` also works on servers that do not know that status. */
export const openQuery = (environments: Environments): string =>
  `WorkflowType = 'subscription' AND CloseTime IS NULL${andIn(environments)}`;
const pausedQuery = (environments: Environments): string =>
  `${openQuery(environments)} AND ExecutionStatus != 'Running'`;
const MAX_PAGE_ROWS = 1000;

/** SQL condition: the subscription must have a workflow, because it has not ended or has an open attempt. */
export const NEEDS_WORKFLOW = Prisma.raw(
  `(status not in ('new', 'cancelled') or (status = 'cancelled' and open is not null))`,
);

/** Temporal's list of workflows lags, so a starting workflow can look lost. Starting it again has no effect. */
export async function repairSubscriptions(
  db: Database,
  temporal: Client,
  environments = BOTH_ENVIRONMENTS,
): Promise<{ count: number }> {
  const own = Prisma.sql`merchant_id in (${merchantsOf(environments)})`;
  const paused = [...(await subscriptionIds(temporal, pausedQuery(environments)))];
  const overdue =
    (await nudgeOverdue(db, own, paused)) +
    (environments.includes('sandbox') ? await nudgeOverdueInSandbox(db, paused) : 0);
  const [open, [needed]] = await Promise.all([
    temporal.workflow.count(openQuery(environments)),
    db.$queryRaw<{ count: bigint }[]>`select count(*) from subscriptions where ${NEEDS_WORKFLOW} and ${own}`,
  ]);
  if (open.count >= Number(needed?.count ?? 0)) return { count: overdue };

  let count = overdue;
  for (let last = ''; ; ) {
    const rows = await db.$queryRaw<{ id: string }[]>`
      select id from subscriptions where id > ${last} and ${NEEDS_WORKFLOW} and ${own} order by id limit ${MAX_PAGE_ROWS}`;
    const first = rows[0]?.id;
    if (first === undefined) return { count };
    last = rows.at(-1)?.id ?? first;
    // Compared page by page to limit the worker's memory.
    const range = `WorkflowId BETWEEN '${subscriptionWorkflowId(first)}' AND '${subscriptionWorkflowId(last)}'`;
    const openIds = await subscriptionIds(temporal, `${openQuery(environments)} AND ${range}`);
    const lost = rows.map(({ id }) => id).filter(id => !openIds.has(id));
    count += await enqueue(
      db,
      'subscription',
      Prisma.sql`select id, merchant_id from subscriptions where id = any(${lost}::varchar[])`,
    );
  }
}

async function subscriptionIds(temporal: Client, query: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const { workflowId } of temporal.workflow.list({ query, pageSize: MAX_PAGE_ROWS }))
    ids.add(workflowId.slice(subscriptionWorkflowId('').length));
  return ids;
}

/** `except`: paused workflows, which would collect a nudge per sweep. */
const enqueue = (
  db: Database,
  kind: 'nudge' | 'subscription',
  found: Prisma.Sql,
  except: string[] = [],
): Promise<number> =>
  db.$executeRaw(
    insertOutbox(
      kind,
      Prisma.sql`select id, merchant_id from (${found}) as found
        where id <> all(${except}::varchar[]) and not exists (select from outbox where object_id = found.id)`,
    ),
  );

/** Overdue in real time is overdue by every clock, because test clocks only run ahead. */
const nudgeOverdue = (db: Database, own: Prisma.Sql, paused: string[]): Promise<number> =>
  enqueue(
    db,
    'nudge',
    Prisma.sql`select id, merchant_id from subscriptions where due_at < now() - interval '10 minutes' and (status <> 'cancelled' or open is not null)
      and status <> 'new' and open is null and ${own} and ${merchantIsActive('subscriptions')} and ${Prisma.raw(isUnheld('subscriptions'))}`,
    paused,
  );

const nudgeOverdueInSandbox = (db: Database, paused: string[]): Promise<number> =>
  enqueue(
    db,
    'nudge',
    Prisma.sql`select s.id, s.merchant_id from subscriptions s join merchants m on m.id = s.merchant_id join customers c on c.id = s.customer_id
      where m.environment = 'sandbox' and m.status = 'active' and s.status not in ('new', 'cancelled') and s.open is null and s.clock_to is null
        and greatest(m.clock_offset, c.clock_offset, s.clock_offset) > 0
        and ${Prisma.raw(isUnheld('s'))} and s.due_at < now() + make_interval(secs => greatest(m.clock_offset, c.clock_offset, s.clock_offset)) - interval '10 minutes'`,
    paused,
  );
