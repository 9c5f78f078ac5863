import { balanceOf, snapshotBalances } from '../../src/ledger/balances';
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { testApi } from '../harness/servers/api';
import { inDatabase } from '../harness/servers/database';

const api = testApi();
const shop = merchantCalls(api);
let id: string;
beforeAll(async () => {
  id = await shop.newCharge(await shop.newCard());
});
const post = (sql: string) => inDatabase(api.database.url(), client => client.query(sql));

describe('the books', () => {
  it('refuse a movement that does not sum to zero, and one that was written before', async () => {
    await expect(
      post(`insert into entries (movement, account, amount, transaction_id) values ('x', 'a', 5, '${id}')`),
    ).rejects.toThrow('does not sum to zero');
    const again = `insert into entries (movement, account, amount, transaction_id)
      select movement, account, amount, transaction_id from entries where movement = 'charge ${id}'`;
    await expect(post(again)).rejects.toThrow('duplicate key');
  });

  it('only grow', async () => {
    for (const sql of ['update entries set amount = amount + 1', 'delete from entries', 'truncate entries'])
      await expect(post(sql)).rejects.toThrow('only grows');
  });

  it('sum up to the same balances before and after a horizon, also with transactions open', async () => {
    const db = api.database.db();
    const account = `merchant ${api.merchants().own.id}`;
    const many = (from: number) => `insert into entries (movement, account, amount, transaction_id)
      select 'many ' || n || ' ${from}', a, v, '${id}' from generate_series(1, 600) n, (values ('${account}', 7), ('elsewhere', -7)) as e (a, v)`;
    await post(many(1));
    const before = await balanceOf(db, account);
    await inDatabase(api.database.url(), async open => {
      await open.query('begin');
      await open.query(
        `insert into entries (movement, account, amount, transaction_id) values ('late', '${account}', 11, '${id}'), ('late', 'elsewhere', -11, '${id}')`,
      );
      expect((await snapshotBalances(db)).count).toBeGreaterThanOrEqual(1);
      expect(await balanceOf(db, account)).toBe(before);
      await open.query('commit');
    });
    expect(await balanceOf(db, account)).toBe(before + 11n);
    await post(many(2));
    await snapshotBalances(db);
    expect(await balanceOf(db, account)).toBe(before + 11n + 4200n);
    const [kept] = await db.$queryRaw<{ balance: bigint }[]>`select balance from balances where account = ${account}`;
    expect(kept?.balance).toBe(before + 11n + 4200n);
  });
});
