/** Requests that run while a webhook is being deleted. */

import { eventually } from '../../harness/flow/until';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { type ApiResponse, errorOf } from '../../harness/servers/api';
import { testEngine } from '../../harness/webhooks/engine';
import { inDatabase } from '../../harness/world/database';

const { api, newHook } = testEngine();
const shop = merchantCalls(api);

/** Sends a request during the deletion, which commits when the request waits for it. */
const whileDeleted = (id: string, send: () => Promise<ApiResponse>): Promise<ApiResponse> =>
  inDatabase(api.database.url(), async client => {
    await client.query('begin');
    await client.query('delete from webhooks where id = $1', [id]);
    const answer = send();
    await eventually(async () => {
      const { rows } = await client.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      if (rows.length === 0) throw new Error('the request does not wait yet');
    });
    await client.query('commit');
    return answer;
  });

it('a charge succeeds', async () => {
  const id = await newHook('/deleted', 0);
  const source_id = await shop.newToken();
  const answer = await whileDeleted(id, () =>
    shop.post('/charges', { ...shop.charge, source_id, customer: shop.payer }),
  );
  expect(answer.status).toBe(200);
});

it.each(['test', 'redeliver'])('POST …/%s fails with 1005, not with an internal error', async action => {
  const id = await newHook('/deleted', 0);
  const range = { from: '2020-01-01', to: '2099-01-01' };
  const answer = await whileDeleted(id, () => api.rest('POST', `/webhooks/${id}/${action}`, { body: range }));
  expect(errorOf(answer)).toBe(1005);
});
