import type { Client } from 'pg';
import { sealEntries } from '../../../src/accounts/auditLog/rows';
import { reconcile } from '../../../src/operations/reconciliation/reconcile';
import { BOTH_ENVIRONMENTS } from '../../../src/platform/database/environments';
import { inDatabase } from '../world/database';
import { vault } from '../world/secrets';
import type { testApi } from './api';

type Api = ReturnType<typeof testApi>;

/** In an order in which the tables can be filled again. */
const TABLES = [
  ...['transactions', 'entries', 'events', 'deliveries', 'delivery_queue', 'delivery_attempts'],
  ...['settlement_reports', 'settlement_items', 'settlements'],
];

/** Runs the check on a database with this damage, which is repaired afterwards. */
export async function withDamage(url: string, damage: string, check: (client: Client) => Promise<void>): Promise<void> {
  await inDatabase(url, async client => {
    for (const table of TABLES) {
      await client.query(`create table saved_${table} as table ${table}`);
      // The triggers of events stay on: they delete dependent rows.
      if (table !== 'events') await client.query(`alter table ${table} disable trigger all`);
    }
    await client.query(damage);
    await check(client);
    for (const table of TABLES.toReversed()) await client.query(`delete from ${table}`);
    for (const table of TABLES) {
      await client.query(`insert into ${table} table saved_${table}`);
      await client.query(`drop table saved_${table}`);
      await client.query(`alter table ${table} enable trigger all`);
    }
    await client.query('delete from balances');
    await client.query('update subscriptions set open = null');
  });
}

/** The differences that the audit finds. A test may last longer than the sealing deadline of the audit log. */
export async function differencesIn(client: Client, api: Api): Promise<string[]> {
  while (await sealEntries(api.database.db(), BOTH_ENVIRONMENTS, vault.auditing));
  const findings = await reconcile(client, api.acquirer.credentials().url, { key: vault.auditing });
  return findings.flatMap(finding => finding.differences);
}

export const bookDifferences = (api: Api): Promise<string[]> =>
  inDatabase(api.database.url(), client => differencesIn(client, api));

/** The audit reports each damage. */
export function testDamages(api: Api, damages: [what: string, damage: () => string, message: RegExp][]): void {
  it.each(damages)('reports %s', (_, damage, message) =>
    withDamage(api.database.url(), damage(), async client =>
      expect(await differencesIn(client, api)).toContainEqual(expect.stringMatching(message)),
    ),
  );
}
