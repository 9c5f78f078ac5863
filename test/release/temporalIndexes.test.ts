/** The smaller indexes of Temporal's visibility table, and upgrades of its schema. */
import { spawnSync } from 'node:child_process';
import { schemaTool } from '../../src/local/temporal/production';
import { setVisibilityIndexes } from '../../src/platform/patches/temporalIndexes';
import { databaseUrl, dropDatabase, inDatabase } from '../harness/world/database';

const DATABASE = 'visibility_of_test';
/** Indexes of one table, with columns that later versions add. */
const EARLIER_VERSION = '1.10';

const hasGo = spawnSync('go', ['version']).status === 0;
const itWithGo = hasGo ? it : it.skip;
const because = hasGo ? '' : ': not run, because Go, which builds the tool, is not installed';

const url = (): string => databaseUrl(DATABASE);
const indexes = async (): Promise<Map<string, string>> => {
  const { rows } = await inDatabase(url(), client =>
    client.query(`select indexname, indexdef from pg_indexes where tablename = 'executions_visibility'`),
  );
  return new Map(rows.map(({ indexname, indexdef }) => [indexname, indexdef]));
};
const partial = (all: Map<string, string>) =>
  [...all].filter(([, definition]) => / WHERE .* IS NOT NULL/.test(definition));

afterAll(() => dropDatabase(DATABASE));

itWithGo(
  `partial indexes answer the same searches, survive an upgrade of the schema, and can be undone${because}`,
  async () => {
    await dropDatabase(DATABASE);
    const sql = await schemaTool(process.env.TEST_DATABASE_URL ?? '', DATABASE);
    sql('create');
    sql('setup-schema', '-v', '0.0');
    sql('update-schema', '--schema-name', 'postgresql/v12/visibility', '-v', EARLIER_VERSION);
    const changed = await setVisibilityIndexes(url(), 'partial');
    expect(changed).toBeGreaterThan(30);
    expect(partial(await indexes())).toHaveLength(changed);
    expect(await setVisibilityIndexes(url(), 'partial')).toBe(0);

    sql('update-schema', '--schema-name', 'postgresql/v12/visibility');
    await setVisibilityIndexes(url(), 'partial');
    const all = await indexes();
    expect(partial(all).length).toBeGreaterThan(60);
    const plan = await inDatabase(url(), async client => {
      await client.query('set enable_seqscan = off');
      const { rows } = await client.query(
        `explain select run_id from executions_visibility where namespace_id = 'n' and keyword01 = 'x'`,
      );
      return JSON.stringify(rows);
    });
    expect(plan).toContain('by_keyword_01');

    expect(await setVisibilityIndexes(url(), 'full')).toBe(partial(all).length);
    expect(partial(await indexes())).toEqual([]);
    expect([...(await indexes()).keys()].sort()).toEqual([...all.keys()].sort());
  },
);
