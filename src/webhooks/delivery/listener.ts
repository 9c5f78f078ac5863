import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

const PULSE_MS = 500;
const PATIENCE_MS = 2000;

/** Calls `hear` whenever deliveries were announced, until it is told to stop; a connection that breaks is made anew. */
export async function listen(databaseUrl: string, hear: () => void, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const limits = { connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS, keepAlive: true };
    const client = new Client({ connectionString: databaseUrl, ...limits });
    client.on('error', () => undefined);
    client.on('notification', hear);
    try {
      await client.connect();
      await client.query('listen deliveries');
      for (; !stop.aborted; await sleep(PULSE_MS)) await client.query('select 1');
    } catch {
      await sleep(PULSE_MS);
    } finally {
      // One that has gone silent does not even say goodbye.
      await Promise.race([client.end().catch(() => undefined), sleep(PULSE_MS)]);
    }
  }
}
