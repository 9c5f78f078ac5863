/** What happens to others while a webhook is being deleted. */
import { retryUntilAnswered } from '../../src/embedded/managedProcess';
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { type Answer, errorOf } from '../harness/servers/api';
import { inDatabase } from '../harness/servers/database';
import { testEngine } from '../harness/webhooks/engine';

const { api, newHook } = testEngine();
const shop = merchantCalls(api);

/** What comes of a request that meets the deletion, which ends only then. */
const whileDeleted = (id: string, ask: () => Promise<Answer>): Promise<Answer> =>
  inDatabase(api.database.url(), async client => {
    await client.query('begin');
    await client.query('delete from webhooks where id = $1', [id]);
    const asking = ask();
    await retryUntilAnswered(async () => {
      const { rows } = await client.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      if (rows.length === 0) throw new Error('nobody waits yet');
    }, 10);
    await client.query('commit');
    return asking;
  });

it('a charge is made', async () => {
  const id = await newHook('/deleted', 0);
  const source_id = await shop.newToken();
  const answer = await whileDeleted(id, () =>
    shop.post('/charges', { ...shop.charge, source_id, customer: shop.payer }),
  );
  expect(answer.status).toBe(200);
});

it.each(['test', 'redeliver'])('POST …/%s is 1005, not a fault', async what => {
  const id = await newHook('/deleted', 0);
  const range = { from: '2020-01-01', to: '2099-01-01' };
  const answer = await whileDeleted(id, () => api.rest('POST', `/webhooks/${id}/${what}`, { body: range }));
  expect(errorOf(answer)).toBe(1005);
});
