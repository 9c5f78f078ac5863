/**
 * Reads the database metrics of a worker when its metrics page is scraped. Uses a separate connection, sequential queries
 * and short timeouts, so that billing is not affected.
 */
import { Pool } from 'pg';
import type { Log } from '../../platform/log';
import { failedReadings, type ReadRow, readings, updateGauges } from './readings';

const MAX_STATEMENT_MS = 2000;
/** A busy machine takes seconds to accept a connection. */
const MAX_CONNECT_MS = 10_000;
const MIN_INTERVAL_MS = 10_000;

/** Returns a function that refreshes the gauges, at most every MIN_INTERVAL_MS. */
export function readDatabase(connectionString: string, environments: readonly string[], log: Log): () => Promise<void> {
  // Never closed: it ends with the process.
  const pool = new Pool({
    connectionString,
    max: 1,
    application_name: 'recaudo metrics',
    options: '-c max_parallel_workers_per_gather=0 -c jit=off',
    connectionTimeoutMillis: MAX_CONNECT_MS,
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
          log.warn({ reading: reading.name }, `metrics: query failed: ${error.message}`);
          return undefined;
        },
      );
      updateGauges(reading, environments, rows);
    }
  };
  let refreshing: Promise<void> | undefined;
  let readAt = 0;
  return async () => {
    if (!refreshing && Date.now() - readAt < MIN_INTERVAL_MS) return;
    refreshing ??= readAll().finally(() => {
      readAt = Date.now();
      refreshing = undefined;
    });
    await refreshing;
  };
}
