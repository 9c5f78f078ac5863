/** Creates the original subscriptions, and measures the storage of their renewals. */
import type { Client } from 'pg';
import { retryUntilAnswered } from '../../src/local/processes/managedProcess';
import { subscriptionWorkflowId } from '../../workflows/subscriptionContract';
import type { BenchEnvironment } from '../environment';
import { forEach, type Request } from '../fleet';
import { startReceiver } from '../programs';
import { shardOf } from './shard';
import { growthOfEach, tableSizes } from './sizes';

const OF_EACH_AGE = 20;
const MAX_RENEWALS = 11;

/** Identifiers of its rows in Temporal's databases and in ours. */
export interface Original {
  subscription: string;
  customer: string;
  card: string;
  run: string;
  branch: string;
  shard: number;
}

export type Databases = Record<'recaudo' | 'temporal' | 'visibility', Client>;

/** Creates subscriptions of each age, with separate customers and cards, for a merchant with a webhook. */
export async function subscribeAll({ db }: BenchEnvironment, request: Request, databases: Databases): Promise<void> {
  const receiver = await startReceiver();
  await request('POST', '/webhooks', { url: `${receiver.url}/` });
  await db.webhook.updateMany({ data: { status: 'verified' } });
  const terms = { amount: 49_900, repeat_every: 1, repeat_unit: 'month', status_after_retry: 'unpaid', trial_days: 5 };
  const { id: plan_id } = await request('POST', '/plans', { name: 'Monthly', ...terms });
  const card = { holder_name: 'María', card_number: '4242424242424242', cvv2: '123', expiration_month: '12' };
  const ids: string[] = [];
  await forEach(OF_EACH_AGE * (MAX_RENEWALS + 1), async i => {
    const customer = { name: 'María Gómez', email: `maria${i}@example.com`, requires_account: false };
    const id = (await request('POST', '/customers', customer)).id;
    const { id: source_id } = await request('POST', `/customers/${id}/cards`, { ...card, expiration_year: '99' });
    ids[i] = (await request('POST', `/customers/${id}/subscriptions`, { plan_id, source_id })).id;
  });

  const before = await tableSizes(databases.recaudo);
  let renewals = 0;
  for (let month = 1; month <= MAX_RENEWALS; month++) {
    const due = await db.subscription.findMany({ where: { id: { in: ids.slice(OF_EACH_AGE * month) } } });
    renewals += due.length;
    await forEach(due.length, async i => {
      const { customer_id, charge_date: to } = due[i] as (typeof due)[number];
      const move = () => request('POST', '/sandbox/clock', { customer_id, to });
      while (typeof (await retryUntilAnswered(move)).to === 'string');
    });
    process.stderr.write(`renewals of month ${month}\n`);
  }
  receiver.stop();
  console.info(`\nour own database: each of ${renewals} renewals`);
  console.table(growthOfEach(before, await tableSizes(databases.recaudo), renewals));
}

/** Temporal's identifiers of the workflows. */
export async function readOriginals(
  databases: Databases,
  shards: number,
): Promise<{ originals: Original[]; namespaceId: string }> {
  const { temporal, recaudo } = databases;
  const { rows: namespaces } = await temporal.query(
    `select encode(id, 'hex')::uuid::text as id from namespaces where name = 'default'`,
  );
  const namespaceId: string = namespaces[0].id;
  const { rows } = await temporal.query(`
    select substr(workflow_id, length('${subscriptionWorkflowId('')}') + 1) as subscription, c.shard_id as shard,
      encode(run_id, 'hex')::uuid::text as run, encode(branch_id, 'hex')::uuid::text as branch
    from current_executions c join history_tree t on t.shard_id = c.shard_id and t.tree_id = c.run_id
    where workflow_id like '${subscriptionWorkflowId('%')}'`);
  const { rows: owners } = await recaudo.query(
    'select id, customer_id as customer, card_id as card from subscriptions',
  );
  const ownerOf = new Map(owners.map(({ id, ...owner }) => [id, owner]));
  const originals = rows.map(row => ({ ...row, ...ownerOf.get(row.subscription) }) as Original);
  for (const { subscription, shard } of originals) {
    if (shardOf(namespaceId, subscriptionWorkflowId(subscription), shards) !== shard)
      throw new Error('Temporal has another rule for shards');
  }
  await setAside(databases, originals);
  return { originals, namespaceId };
}

/** Stores the rows to copy in separate tables, so that reading them does not depend on the number of copies. */
async function setAside({ temporal, visibility, recaudo }: Databases, originals: Original[]): Promise<void> {
  const list = (values: string[]): string => `(values ${values.map(value => `('${value}')`)}) as o (id)`;
  const runs = list(originals.map(({ run }) => run));
  const setAsideRows = (client: Client, table: string, from: string, on: string): Promise<unknown> =>
    client.query(`create table original_${table} as select t.* from ${from} join ${table} t on ${on}`);
  for (const table of ['executions', 'current_executions', 'timer_info_maps'])
    await setAsideRows(temporal, table, runs, 't.run_id = uuid_send(o.id::uuid)');
  for (const table of ['history_tree', 'history_node'])
    await setAsideRows(temporal, table, runs, 't.tree_id = uuid_send(o.id::uuid)');
  // Includes obsolete timers of nudges: the last one is valid.
  await temporal.query(`
    create table original_timer_tasks as
      select distinct on (o.id) o.id as run, t.* from ${runs} join timer_tasks t on position(convert_to(o.id, 'UTF8') in t.data) > 0
      order by o.id, t.task_id desc`);
  await setAsideRows(visibility, 'executions_visibility', runs, 't.run_id = o.id');
  for (const [table, name] of [
    ['customers', 'customer'],
    ['cards', 'card'],
    ['subscriptions', 'subscription'],
  ] as const)
    await setAsideRows(recaudo, table, list(originals.map(original => original[name])), 't.id = o.id');
}
