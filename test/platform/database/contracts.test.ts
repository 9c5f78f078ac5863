/** The previous release keeps working on the new schema, because migrations first expand and later contract it. */
import { readdirSync, readFileSync } from 'node:fs';
import { fromRoot } from '../../../src/platform/root';
import { contractions, readCatalog } from '../../harness/servers/catalog';
import { testDatabase } from '../../harness/servers/database';
import { inDatabase } from '../../harness/world/database';

/** The migration of the first release, which has no previous release. */
const BASELINE = '20261118000000_baseline';

const migrated = testDatabase();
const empty = testDatabase('empty');

const isAnnounced = (sql: string): boolean => /^-- contracts: \S/.test(sql);

it('a migration that removes something names the last release that used it', async () => {
  const names = readdirSync(fromRoot('prisma/migrations'))
    .filter(name => /^\d/.test(name))
    .sort();
  const unannounced = await inDatabase(empty.url(), async client => {
    const found: string[] = [];
    for (const name of names) {
      const sql = readFileSync(fromRoot('prisma/migrations', name, 'migration.sql'), 'utf8');
      const before = await readCatalog(client);
      await client.query(sql);
      if (name === BASELINE || isAnnounced(sql)) continue;
      found.push(...contractions(before, await readCatalog(client)).map(what => `${name}: ${what}`));
    }
    return found;
  });
  expect(unannounced).toEqual([]);
});

it.each([
  ['drop table plans cascade', 'table plans is gone'],
  ['alter table plans drop column name', 'column plans.name is gone'],
  ['alter table plans rename name to title', 'column plans.name is gone'],
  ['alter table plans alter name type text', 'column plans.name has another type'],
  ['alter table customers alter last_name set not null', 'column customers.last_name must be given'],
  ['alter table plans add note text not null', 'column plans.note must be given'],
  ['alter table plans add check (amount > 100)', 'constraint plans.plans_amount_check1 refuses more'],
  ['create unique index one_name on plans (name)', 'unique index one_name refuses more'],
])('%s is detected', async (change, expected) => {
  expect(await contractionsOf(change)).toContain(expected);
});

it.each([
  'create table notes (id int primary key, text text not null unique)',
  'alter table plans add note text',
  `alter table plans add note text not null default '' check (length(note) < 10)`,
  'create index by_name on plans (name)',
  `alter table transactions drop constraint transactions_transaction_type_check, add constraint transactions_transaction_type_check
    check (transaction_type in ('charge', 'refund', 'fee', 'payout', 'gift'))`,
])('%s removes nothing', async change => {
  expect(await contractionsOf(change)).toEqual([]);
});

const contractionsOf = (change: string): Promise<string[]> =>
  inDatabase(migrated.url(), async client => {
    await client.query('begin');
    const before = await readCatalog(client);
    await client.query(change);
    return contractions(before, await readCatalog(client));
  });
