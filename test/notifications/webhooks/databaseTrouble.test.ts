/** Deliveries while the database is read-only, unresponsive or busy. */
import { openDatabase, REPLAN_EACH_TIME } from '../../../src/platform/database/connection';
import { toApiError } from '../../../src/platform/toApiError';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { eventually } from '../../harness/flow/until';
import { PATIENCE } from '../../harness/servers/database';
import { testEngine } from '../../harness/webhooks/engine';
import { inDatabase } from '../../harness/world/database';

const { api, db, newHook } = testEngine();
it('a read-only database counts as unavailable', async () => {
  const readOnly = openDatabase(`${api.database.url()}&options=-c%20default_transaction_read_only%3Don`);
  atTheEnd(() => readOnly.$disconnect());
  const refusal = await readOnly.$executeRaw`delete from delivery_queue`.catch(error => error);
  expect(toApiError(refusal).kind).toBe('unavailable');
});

it('a locked delivery does not delay the deletion of the other deliveries', async () => {
  const webhook_id = await newHook('/held', 50);
  await inDatabase(api.database.url(), async client => {
    await client.query('begin');
    await client.query('select from deliveries where webhook_id = $1 order by sequence limit 1 for update', [
      webhook_id,
    ]);
    const deleting = api.rest('DELETE', `/webhooks/${webhook_id}`);
    await eventually(async () => {
      if ((await db().delivery.count({ where: { webhook_id } })) > 1) throw new Error('deliveries remain');
      const blocked = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
      if ((await client.query(blocked)).rowCount === 0) throw new Error('the deletion does not wait yet');
    });
    // The deletion does not lock the webhook either, which the transaction with the locked delivery may need.
    await client.query('update webhooks set failing_since = now() where id = $1', [webhook_id]);
    await client.query('commit');
    expect(await deleting).toMatchObject({ status: 204 });
  });
});

it('a query plan for an empty queue is not used for a full queue', async () => {
  const webhook_id = await newHook('/planned', 1);
  await inDatabase(api.database.url(), async client => {
    await client.query('delete from delivery_queue');
    await client.query('vacuum delivery_queue');
    await client.query(`
      insert into deliveries (id, webhook_id, event_id)
      select new_delivery_id(), webhook_id, event_id from deliveries where webhook_id = '${webhook_id}'`);
    await client.query('delete from delivery_queue');
    await client.query('vacuum delivery_queue');
    const deleteDeliveries = (count: number) =>
      client.query(
        `delete from deliveries where id in (select id from deliveries where webhook_id = $1 limit ${count})`,
        [webhook_id],
      );
    await deleteDeliveries(1);
    await client.query(`
      insert into deliveries (id, webhook_id, event_id)
      select new_delivery_id(), webhook_id, event_id from deliveries, generate_series(1, 30000) where webhook_id = '${webhook_id}'`);
    const plans: string[] = [];
    client.on('notice', ({ message }) => plans.push(message ?? ''));
    await client.query(`
      load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on;
      set auto_explain.log_analyze = on; set client_min_messages = log`);
    expect(await deleteDeliveries(1000)).toMatchObject({ rowCount: 1000 });
    const deletion = plans.filter(plan => plan.includes('delete from delivery_queue'));
    expect(deletion).toHaveLength(1);
    // The plan for an empty queue would compare each deleted delivery with each queued one, thirty million times.
    expect(deletion[0]).not.toContain('Rows Removed by Join Filter');
  });
});

it('a statement that must be planned on each execution is not prepared', async () => {
  const prepared = await db().$transaction(async tx => {
    await tx.$queryRaw`${REPLAN_EACH_TIME} select 7`;
    await tx.$queryRaw`select 8`;
    return tx.$queryRaw<{ statement: string }[]>`select statement from pg_prepared_statements`;
  }, PATIENCE);
  const statements = prepared.map(({ statement }) => statement);
  expect([statements.includes('select 8'), statements.some(text => text.includes('select 7'))]).toEqual([true, false]);
});
