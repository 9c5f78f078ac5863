/** A database restored from a dump of another server, whose PostgreSQL transaction IDs were higher. */
import { repairAfterRestore } from '../../../src/platform/database/afterRestore';
import { newId } from '../../../src/platform/identifiers';
import { eventually } from '../../harness/flow/until';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { testApi } from '../../harness/servers/api';
import { Program } from '../../harness/servers/program';

const api = testApi({ ownWorld: true });
const shop = merchantCalls(api);
const db = () => api.database.db();
const idsAfter = async (id: string): Promise<string[]> =>
  (await api.rest('GET', `/events?after=${id}`)).body.map((event: { id: string }) => event.id);

it('the API lists the events of a restored database in their order, followed by new ones', async () => {
  for (let i = 0; i < 3; i++) await shop.newCharge(await shop.newToken());
  const events = await db().$queryRaw<{ id: string }[]>`select id from events order by xact, sequence`;
  const [first, ...others] = events.map(({ id }) => id);
  // The IDs of a server with higher transaction IDs.
  await db().$executeRaw`update events set xact = (xact::text::bigint + 1000000000)::text::xid8`;
  expect(await idsAfter(first ?? '')).toEqual([]);
  const migration = new Program('migrate', { DATABASE_URL: api.database.url() });
  expect(await migration.exited).toBe(0);
  expect(migration.output).toContain('repaired transaction ids after a restore from a dump');
  // An event appears when no older transaction is open, and other tests use the same server.
  await eventually(async () => expect(await idsAfter(first ?? '')).toEqual(others));
  await shop.newCharge(await shop.newToken());
  await eventually(async () => expect(await idsAfter(first ?? '')).toEqual([...others, expect.any(String)]));
  expect(await repairAfterRestore(api.database.url())).toBe(false);
});

it('balances include entries booked after the restore', async () => {
  const account = `test ${newId('merchant')}`;
  const balance = async () =>
    (await db().$queryRaw<{ sum: bigint }[]>`select account_balance(${account})::bigint as sum`)[0]?.sum;
  const transaction_id = await shop.newCharge(await shop.newToken());
  const bookEntries = (movement: string) => db().$executeRaw`
    insert into entries (movement, account, amount, transaction_id)
    values (${movement}, ${account}, 700, ${transaction_id}), (${movement}, 'test other', -700, ${transaction_id})`;
  await bookEntries(`before ${account}`);
  await db().$executeRaw`
    insert into balances select ${account}, 700, (pg_current_xact_id()::text::bigint + 1000000000)::text::xid8`;
  await bookEntries(`after ${account}`);
  expect(await balance()).toBe(700n);
  expect(await repairAfterRestore(api.database.url())).toBe(true);
  expect(await balance()).toBe(1400n);
});
