/**
 * Copies sleeping subscriptions inside the databases, because creating a million through the API would take a day. Copies
 * have other ids of the same length: Temporal stores ids as text in protobuf messages, which therefore stay valid.
 */
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { newId } from '../../src/platform/identifiers';
import { subscriptionWorkflowId } from '../../workflows/subscriptionContract';
import type { Databases, Original } from './originals';
import { shardOf } from './shard';

const BATCH_ROWS = 5000;
const YEAR_MS = 365 * 86_400_000;
/** Distinguishes timers of the same time in a shard. Temporal's own values start higher. */
let lastTaskId = 0;

/** A copy with the card of its original. */
export interface Woken {
  subscription: string;
  card: string;
}

/** Creates `count` copies round-robin, and returns the first copy of each original. */
export async function copySubscriptions(
  databases: Databases,
  { originals, namespaceId }: { originals: Original[]; namespaceId: string },
  { count, shards, onProgress }: { count: number; shards: number; onProgress(done: number): void },
): Promise<Woken[]> {
  const first: Woken[] = [];
  const now = Date.now();
  for (let done = 0; done < count; ) {
    const size = Math.min(BATCH_ROWS, count - done);
    const batch = Array.from({ length: size }, (_, i) => {
      const old = originals[(done + i) % originals.length] as Original;
      const subscription = newId('subscription');
      if (done + i < originals.length) first.push({ subscription, card: old.card });
      return {
        old,
        subscription,
        customer: newId('customer'),
        card: newId('card'),
        run: randomUUID(),
        branch: randomUUID(),
        shard: shardOf(namespaceId, subscriptionWorkflowId(subscription), shards),
        // Start times are spread over a year.
        started_at: new Date(now - YEAR_MS + (YEAR_MS * (done + i)) / count).toISOString().slice(0, -1),
        task_id: ++lastTaskId,
      };
    });
    for (const client of Object.values(databases) as Client[]) {
      await client.query('drop table if exists pg_temp.copies; create temp table copies (like copy_columns)');
      await client.query('insert into copies select * from jsonb_populate_recordset(null::copies, $1)', [
        JSON.stringify(batch.map(({ old, ...ids }) => ({ ...ids, ...prefixed(old) }))),
      ]);
    }
    await Promise.all([
      copyRows(databases.recaudo),
      copyWorkflows(databases.temporal),
      copyVisibility(databases.visibility),
    ]);
    done += size;
    onProgress(done);
  }
  return first;
}

const prefixed = (old: Original) => Object.fromEntries(Object.entries(old).map(([name, id]) => [`old_${name}`, id]));

export async function prepare(client: Client): Promise<void> {
  const ids = ['subscription', 'customer', 'card', 'run', 'branch'];
  const columns = [...ids, ...ids.map(name => `old_${name}`)].map(name => `${name} text`);
  await client.query(`
    create table copy_columns (${columns}, shard int, old_shard int, started_at timestamp, task_id bigint);
    set synchronous_commit = off`);
}

/** Creates the indexes of a table after the bulk load, which is faster and gives fuller pages. */
export async function withoutIndexes<T>(client: Client, table: string, work: () => Promise<T>): Promise<T> {
  const { rows: indexes } = await client.query(
    `select indexname, indexdef from pg_indexes where tablename = $1 and indexname not like '%_pkey'`,
    [table],
  );
  for (const { indexname } of indexes) await client.query(`drop index ${indexname}`);
  const result = await work();
  await client.query(`set maintenance_work_mem = '512MB'; set max_parallel_maintenance_workers = 0`);
  for (const { indexdef } of indexes) await client.query(indexdef);
  return result;
}

/** Inserts the rows of `table` once per joined copy; `changed` replaces columns. */
async function copy(client: Client, table: string, on: string, changed: Record<string, string>): Promise<void> {
  const { rows } = await client.query(
    `select lower(column_name) as name from information_schema.columns where table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  const names = rows.map(({ name }) => name as string);
  await client.query(`insert into ${table} (${names}) select ${names.map(name => changed[name] ?? `t.${name}`)}
    from copies c join original_${table} t on ${on} order by c.task_id`);
}

const raw = (column: string): string => `uuid_send(c.${column}::uuid)`;
const workflowId = (column: string): string => `'${subscriptionWorkflowId('')}' || c.${column}`;

/** Replaces the ids in binary data. */
const renamed = (column: string): string => {
  const hex = (text: string): string => `encode(convert_to(${text}, 'UTF8'), 'hex')`;
  const bytes = ['subscription', 'customer', 'run', 'branch'].reduce(
    (text, name) => `replace(${text}, ${hex(`c.old_${name}`)}, ${hex(`c.${name}`)})`,
    `encode(t.${column}, 'hex')`,
  );
  return `decode(${bytes}, 'hex')`;
};

async function copyWorkflows(temporal: Client): Promise<void> {
  const ofRun = `t.shard_id = c.old_shard and t.workflow_id = ${workflowId('old_subscription')} and t.run_id = ${raw('old_run')}`;
  const inTree = `t.shard_id = c.old_shard and t.tree_id = ${raw('old_run')} and t.branch_id = ${raw('old_branch')}`;
  const shard_id = 'c.shard';
  const execution = { shard_id, workflow_id: workflowId('subscription'), run_id: raw('run'), data: renamed('data') };
  const tree = { shard_id, tree_id: raw('run'), branch_id: raw('branch'), data: renamed('data') };
  await copy(temporal, 'executions', ofRun, { ...execution, state: renamed('state') });
  await copy(temporal, 'current_executions', ofRun, execution);
  await copy(temporal, 'timer_info_maps', ofRun, execution);
  await copy(temporal, 'history_tree', inTree, tree);
  await copy(temporal, 'history_node', inTree, tree);
  const timer = { shard_id, task_id: 'c.task_id', data: renamed('data') };
  await copy(temporal, 'timer_tasks', 't.run = c.old_run', timer);
}

const copyVisibility = (visibility: Client): Promise<void> =>
  copy(visibility, 'executions_visibility', 't.run_id = c.old_run', {
    run_id: 'c.run',
    root_run_id: 'c.run',
    workflow_id: workflowId('subscription'),
    root_workflow_id: workflowId('subscription'),
    start_time: 'c.started_at',
    execution_time: 'c.started_at',
    search_attributes: `replace(t.search_attributes::text, c.old_customer, c.customer)::jsonb`,
  });

async function copyRows(recaudo: Client): Promise<void> {
  await copy(recaudo, 'customers', 't.id = c.old_customer', { id: 'c.customer' });
  await copy(recaudo, 'cards', 't.id = c.old_card', { id: 'c.card', customer_id: 'c.customer' });
  await copy(recaudo, 'subscriptions', 't.id = c.old_subscription', {
    id: 'c.subscription',
    customer_id: 'c.customer',
    card_id: 'c.card',
  });
}
