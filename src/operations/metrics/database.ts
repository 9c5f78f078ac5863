/**
 * The worker's view of the database, read when its page is asked for. On a connection of its own, one statement after the
 * other and none for long: what is billed meanwhile must not notice.
 */
import { Pool } from 'pg';
import type { Log } from '../../platform/log';
import { failedReadings, type ReadRow, readings, show } from './readings';

const MAX_STATEMENT_MS = 2000;
const MIN_INTERVAL_MS = 10_000;

/** Returns what reads it anew, unless that was done a few seconds ago. */
export function readDatabase(connectionString: string, environments: readonly string[], log: Log): () => Promise<void> {
  // As the process, it ends with it.
  const pool = new Pool({
    connectionString,
    max: 1,
    application_name: 'recaudo metrics',
    options: '-c max_parallel_workers_per_gather=0 -c jit=off',
    connectionTimeoutMillis: MAX_STATEMENT_MS,
    statement_timeout: MAX_STATEMENT_MS,
    query_timeout: MAX_STATEMENT_MS + 500,
  });
  pool.on('error', () => undefined);
  const all = readings();
  const failures = failedReadings();
  for (const { name } of all) failures.inc({ reading: name }, 0);
  const readAll = async (): Promise<void> => {
    for (const reading of all) {
      const rows = await pool.query<ReadRow>(reading.sql, [environments]).then(
        result => result.rows,
        error => {
          failures.inc({ reading: reading.name });
          log.warn(`the metrics lack ${reading.name}: ${error.message}`);
          return undefined;
        },
      );
      show(reading, environments, rows);
    }
  };
  let underWay: Promise<void> | undefined;
  let readAt = 0;
  return async () => {
    if (!underWay && Date.now() - readAt < MIN_INTERVAL_MS) return;
    underWay ??= readAll().finally(() => {
      readAt = Date.now();
      underWay = undefined;
    });
    await underWay;
  };
}
