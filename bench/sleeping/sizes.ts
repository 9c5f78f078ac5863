import type { Client } from 'pg';

/** Size of a table, including indexes and TOAST. */
export interface TableSize {
  rows: number;
  bytes: number;
  /** Size of the indexes. */
  indexes: number;
}

/** Sizes of all tables with rows. */
export async function tableSizes(client: Client): Promise<Record<string, TableSize>> {
  await client.query('vacuum analyze');
  const { rows } = await client.query(`
    select relname as name, reltuples as rows, pg_total_relation_size(oid) as bytes, pg_indexes_size(oid) as indexes
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > 0`);
  return Object.fromEntries(
    rows.map(({ name, ...size }) => [
      name,
      { rows: Number(size.rows), bytes: Number(size.bytes), indexes: Number(size.indexes) },
    ]),
  );
}

/** Growth between two readings, per item. Excludes tables that did not grow. */
export function growthOfEach(
  before: Record<string, TableSize>,
  after: Record<string, TableSize>,
  count: number,
): Record<string, TableSize> {
  const none = { rows: 0, bytes: 0, indexes: 0 };
  return Object.fromEntries(
    Object.entries(after).flatMap(([name, size]) => {
      const old = before[name] ?? none;
      const each = (key: keyof TableSize): number => (size[key] - old[key]) / count;
      if (size.rows === old.rows) return [];
      return [
        [
          name,
          {
            rows: Math.round(each('rows') * 100) / 100,
            bytes: Math.round(each('bytes')),
            indexes: Math.round(each('indexes')),
          },
        ],
      ];
    }),
  );
}

/** Commits and written rows by database, and WAL bytes of the server. */
export async function written(databases: Record<string, Client>): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  for (const [name, client] of Object.entries(databases)) {
    const { rows } = await client.query(`
      select xact_commit as commits, tup_inserted + tup_updated + tup_deleted as rows, pg_current_wal_lsn() - '0/0' as log
      from pg_stat_database where datname = current_database()`);
    figures[`${name} commits`] = Number(rows[0].commits);
    figures[`${name} rows`] = Number(rows[0].rows);
    figures.log = Number(rows[0].log);
  }
  return figures;
}
