/** Storage and writes of Temporal and of our database for each subscription and renewal, on the production server. */
import { Client } from 'pg';

const DATABASES = ['temporal', 'temporal_visibility', 'recaudo'] as const;

type Each = Record<(typeof DATABASES)[number], number>;

export interface StorageReading {
  /** Bytes of all tables with rows, including indexes and TOAST. */
  bytes: Each;
  rows: Each;
  commits: Each;
  /** Bytes of the write-ahead log of the whole server. */
  log: number;
}

export async function readStorage(databaseUrl: string): Promise<StorageReading> {
  const reading: StorageReading = { bytes: zero(), rows: zero(), commits: zero(), log: 0 };
  for (const name of DATABASES) {
    const url = new URL(databaseUrl);
    url.pathname = name;
    const client = new Client({ connectionString: url.href });
    await client.connect();
    await client.query('vacuum analyze');
    const { rows } = await client.query(`
      select coalesce(sum(pg_total_relation_size(oid)), 0) as bytes, coalesce(sum(reltuples), 0) as rows,
        (select xact_commit from pg_stat_database where datname = current_database()) as commits,
        pg_current_wal_lsn() - '0/0' as log
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > 0`);
    await client.end();
    const [row] = rows;
    reading.bytes[name] = Number(row.bytes);
    reading.rows[name] = Number(row.rows);
    reading.commits[name] = Number(row.commits);
    reading.log = Number(row.log);
  }
  return reading;
}

const zero = (): Each => ({ temporal: 0, temporal_visibility: 0, recaudo: 0 });

/** Growth from one reading to the next of each pair, for each of `count` in each pair. */
export function growthOfEach(pairs: readonly [StorageReading, StorageReading][], count: number): StorageReading {
  const total = count * pairs.length;
  const growth = (figure: (reading: StorageReading) => number): number =>
    pairs.reduce((sum, [before, after]) => sum + figure(after) - figure(before), 0) / total;
  const byDatabase = (kind: 'bytes' | 'rows' | 'commits'): Each => ({
    temporal: growth(reading => reading[kind].temporal),
    temporal_visibility: growth(reading => reading[kind].temporal_visibility),
    recaudo: growth(reading => reading[kind].recaudo),
  });
  return {
    bytes: byDatabase('bytes'),
    rows: byDatabase('rows'),
    commits: byDatabase('commits'),
    log: growth(reading => reading.log),
  };
}
