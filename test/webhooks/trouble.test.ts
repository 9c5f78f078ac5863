/** A database that is read-only, silent or busy. */
import { openDatabase } from '../../src/database';
import { untilAnswered } from '../../src/embedded/part';
import { toApiError } from '../../src/faults';
import { listen } from '../../src/webhooks/listening';
import { inDatabase } from '../harness/database';
import { Detour } from '../harness/detour';
import { testEngine } from '../harness/engine';

const { api, db, newHook } = testEngine();
const inOurs = (text: string) => inDatabase(api.database.url(), async client => (await client.query(text)).rows);

it('a database that can only be read from is one that is away', async () => {
  const readOnly = openDatabase(`${api.database.url()}&options=-c%20default_transaction_read_only%3Don`);
  const refused = await readOnly.$executeRaw`delete from delivery_queue`.catch(error => error);
  expect(toApiError(refused).kind).toBe('unavailable');
  await readOnly.$disconnect();
});

it('who listens to a database that has gone silent stops when it is told to', async () => {
  const detour = await Detour.to(api.database.url());
  const stop = new AbortController();
  let heard = 0;
  const listening = listen(detour.url, () => heard++, stop.signal);
  await untilAnswered(async () => {
    await inOurs('notify deliveries');
    if (heard === 0) throw new Error('nothing heard yet');
  }, 10);
  detour.silence();
  stop.abort();
  await listening;
  await detour.close();
});

it('a delivery that somebody is at holds up the deletion of no other', async () => {
  const webhook_id = await newHook('/held', 50);
  await inDatabase(api.database.url(), async client => {
    await client.query('begin');
    await client.query('select from deliveries where webhook_id = $1 order by sequence limit 1 for update', [
      webhook_id,
    ]);
    const deleting = api.rest('DELETE', `/webhooks/${webhook_id}`);
    await untilAnswered(async () => {
      if ((await db().delivery.count({ where: { webhook_id } })) > 1) throw new Error('more are left');
    }, 10);
    await client.query('rollback');
    expect(await deleting).toMatchObject({ status: 204 });
  });
});
