import { balanceOf, snapshotBalances } from '../../src/ledger/rows';
import { eventually } from '../harness/flow/until';
import { merchantCalls } from '../harness/merchant/merchantCalls';
import { sendRequest, testApi } from '../harness/servers/api';
import { PATIENCE } from '../harness/servers/database';
import { rowsRead } from '../harness/servers/manyRows';
import { inDatabase } from '../harness/world/database';

const api = testApi({ ownWorld: true });
const shop = merchantCalls(api);
let id: string;
beforeAll(async () => {
  id = await shop.newCharge(await shop.newCard());
});
const execute = (sql: string) => inDatabase(api.database.url(), client => client.query(sql));

describe('the ledger', () => {
  it('refuses an unbalanced movement and a duplicate movement', async () => {
    await expect(
      execute(`insert into entries (movement, account, amount, transaction_id) values ('x', 'a', 5, '${id}')`),
    ).rejects.toThrow('does not sum to zero');
    const duplicate = `insert into entries (movement, account, amount, transaction_id)
      select movement, account, amount, transaction_id from entries where movement = 'charge ${id}'`;
    await expect(execute(duplicate)).rejects.toThrow('duplicate key');
  });

  it('refuses to update, delete or truncate entries', async () => {
    for (const sql of ['update entries set amount = amount + 1', 'delete from entries', 'truncate entries'])
      await expect(execute(sql)).rejects.toThrow('only grows');
  });

  it('has the same balances before and after a snapshot, even while database transactions are open', async () => {
    const db = api.database.db();
    const account = `merchant ${api.merchants().own.id}`;
    const insertMany = (series: number) => `insert into entries (movement, account, amount, transaction_id)
      select 'many ' || n || ' ${series}', a, v, '${id}' from generate_series(1, 600) n, (values ('${account}', 7), ('elsewhere', -7)) as e (a, v)`;
    await execute(insertMany(1));
    const before = await balanceOf(db, account);
    await inDatabase(api.database.url(), async openTransaction => {
      await openTransaction.query('begin');
      await openTransaction.query(
        `insert into entries (movement, account, amount, transaction_id) values ('late', '${account}', 11, '${id}'), ('late', 'elsewhere', -11, '${id}')`,
      );
      // A snapshot reaches up to the oldest open transaction, and other tests use the same server.
      await eventually(async () => expect((await snapshotBalances(db)).count).toBeGreaterThanOrEqual(1));
      expect(await balanceOf(db, account)).toBe(before);
      await openTransaction.query('commit');
    });
    expect(await balanceOf(db, account)).toBe(before + 11n);
    await execute(insertMany(2));
    await eventually(async () => {
      await snapshotBalances(db);
      expect(await balanceOf(db, account)).toBe(before + 11n + 4200n);
      const [snapshot] = await db.$queryRaw<
        { balance: string }[]
      >`select balance::text from balances where account = ${account}`;
      expect(snapshot?.balance).toBe(`${before + 11n + 4200n}`);
    });
    const accounts = ['elsewhere', 'nobody', account];
    const [ofDatabase] = await db.$queryRaw<{ balances: string[] }[]>`
      select array_agg(account_balance(account)::text order by place) as balances
      from unnest(${accounts}::varchar[]) with ordinality as asked (account, place)`;
    expect((await Promise.all(accounts.map(name => balanceOf(db, name)))).map(String)).toEqual(ofDatabase?.balances);
  });

  it('is read once for the first snapshot; later snapshots read only new entries', async () => {
    await execute(`insert into entries (movement, account, amount, transaction_id)
      select 'long ' || n, a || n % 900, v, '${id}' from generate_series(1, 20000) n, (values ('one ', 7), ('other ', -7)) as e (a, v)`);
    await api.database.db().$transaction(async tx => {
      const reads = async (): Promise<number> => {
        const before = await rowsRead(tx, ['entries']);
        await snapshotBalances(tx);
        return (await rowsRead(tx, ['entries'])) - before;
      };
      expect(await reads()).toBeGreaterThan(40_000);
      expect(await reads()).toBeLessThan(2000);
      await tx.$executeRaw`insert into entries (movement, account, amount, transaction_id)
        select 'new ' || n, a, v, ${id} from generate_series(1, 600) n, (values ('quick', 7), ('quicker', -7)) as e (a, v)`;
      expect(await reads()).toBeLessThan(6000);
    }, PATIENCE);
  });

  it('sums accounts beyond 64 bits, without an effect on other accounts', async () => {
    const db = api.database.db();
    const [rich, usual] = [api.merchants().other, api.merchants().own];
    const amount = 2n ** 63n - 1n;
    const accounts = [`merchant ${rich.id}`, `merchant ${usual.id}`];
    const before = await Promise.all(accounts.map(account => balanceOf(db, account)));
    const inserts = [amount, 1n].map(
      (each, i) => `insert into entries (movement, account, amount, transaction_id)
        select 'huge ${i} ' || n, a, v, '${id}' from generate_series(1, 501) n,
          (values ('${accounts[i]}', ${each}), ('elsewhere', ${-each})) as e (a, v)`,
    );
    for (const insert of inserts) await execute(insert);
    const after = [(before[0] ?? 0n) + 501n * amount, (before[1] ?? 0n) + 501n];
    await eventually(async () => {
      await snapshotBalances(db);
      const snapshots = await db.$queryRaw<{ account: string }[]>`
        select account from balances where account = any(${accounts}) and horizon > '0'::xid8`;
      expect(snapshots).toHaveLength(2);
    });
    expect(await Promise.all(accounts.map(account => balanceOf(db, account)))).toEqual(after);
    const answer = await sendRequest(`${api.origin()}/v1/${rich.id}`, 'GET', { key: rich.private_key });
    expect([answer.status, answer.body.balance]).toEqual([200, Number(after[0]) / 100]);
  });
});
