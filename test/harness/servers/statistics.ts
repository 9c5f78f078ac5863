/** Simulates wrong table statistics, which PostgreSQL uses to plan queries until the next analysis. */
import { inDatabase } from '../world/database';

const indexesOf = (tables: string): string => `(select indexrelid from pg_index where indrelid = any(${tables}))`;

/** Ways in which PostgreSQL considers full tables empty, as statements; $1 are the tables. */
const EMPTY: Record<string, string[]> = {
  'analyzed during the insert that filled them': [
    'delete from pg_statistic where starelid = any($1)',
    `update pg_class set reltuples = 0, relpages = pg_relation_size(oid) / 8192
      where oid = any($1) or oid in ${indexesOf('$1')}`,
  ],
  'analyzed when they were empty, after earlier rows were deleted': [
    `update pg_class set reltuples = 0 where oid = any($1) or oid in ${indexesOf('$1')}`,
  ],
  'analyzed when they were empty, but not their indexes': ['update pg_class set reltuples = 0 where oid = any($1)'],
};

export const WAYS_OF_EMPTY = Object.keys(EMPTY);

/** Makes the server consider these tables empty, and prevents a new analysis. */
export const believeEmpty = (url: string, tables: string[], way: string): Promise<void> =>
  inDatabase(url, async client => {
    for (const table of tables) await client.query(`alter table ${table} set (autovacuum_enabled = off)`);
    await client.query(`analyze ${tables}`);
    const oids = await client.query('select oid from pg_class where oid = any($1::text[]::regclass[])', [tables]);
    for (const statement of EMPTY[way] ?? []) await client.query(statement, [oids.rows.map(({ oid }) => oid)]);
  });
