/** A report that exceeds one part, and a settlement that exceeds one response. */
import { newId } from '../../src/platform/identifiers';
import { testSettlements } from '../harness/merchant/settlements';
import { basic, testApi } from '../harness/servers/api';

const api = testApi({ ownWorld: true });
const { send, item, reportOf, match } = testSettlements(api);
const DATE = '2026-11-16T07:00:00-05:00';
const db = () => api.database.db();
it('5,001 items in two parts are matched as a whole, and returned as JSON and as CSV', async () => {
  const { id: merchant_id } = api.merchants().own;
  const ids = Array.from({ length: 5001 }, () => newId('transaction'));
  // Booked with one statement, with the entries that single requests would make.
  await db().$executeRaw`
    with booked as (
      insert into transactions (id, merchant_id, creation_date, operation_date, transaction_type, operation_type, method, status, progress,
        amount, account, cost_rate, cost_fixed, fee_amount, fee_tax)
      select id, ${merchant_id}, now(), now(), 'charge', 'in', 'card', 'completed', 'settled', 100, 'merchant ' || ${merchant_id}, 0, 0, 0, 0
      from unnest(${ids}::varchar[]) as id returning id
    )
    insert into entries (movement, account, amount, transaction_id)
    select 'charge ' || id, account, amount, id from booked, (values ('clearing ' || ${merchant_id}, -100), ('merchant ' || ${merchant_id}, 100)) as e (account, amount)`;
  const items = ids.map(id => item(id, 1));
  const whole = { id: 'large', parts: 2, count: 5001, total: 500_100 };
  await send(reportOf(items.slice(5000), { ...whole, part: 2 }));
  await send(reportOf(items.slice(0, 5000), { ...whole, part: 1 }));
  expect(await match('large')).toBe('matched 5,001 items, nothing differs');
  const [settlement] = (await api.rest('GET', '/settlements?limit=1')).body;
  expect(settlement).toMatchObject({ count: 5001, charges: 5001, cost: 0 });
  const { body } = await api.rest('GET', `/settlements/${settlement.id}/items`);
  expect(body.items.map(({ transaction_id }: { transaction_id: string }) => transaction_id)).toEqual(ids);
  const { own } = api.merchants();
  const response = await fetch(`${api.origin()}/v1/${own.id}/settlements/${settlement.id}/items`, {
    headers: { authorization: basic(own.private_key), accept: 'text/csv' },
  });
  const lines = (await response.text()).trimEnd().split('\r\n');
  expect([lines.length, lines[5001]]).toEqual([5002, `charge-${ids[5000]},charge,${ids[5000]},,${DATE},1,0,0,1`]);
});
