import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** Between heartbeats, and between attempts to connect. */
const INTERVAL_MS = 500;
const TIMEOUT_MS = 2000;

/** Calls `onNotification` whenever deliveries are announced, until `stop` aborts. Reconnects by itself. */
export async function listen(databaseUrl: string, onNotification: () => void, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const limits = { connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS, keepAlive: true };
    const client = new Client({ connectionString: databaseUrl, ...limits });
    client.on('error', () => undefined);
    client.on('notification', onNotification);
    try {
      await client.connect();
      await client.query('listen deliveries');
      for (; !stop.aborted; await sleep(INTERVAL_MS)) await client.query('select 1');
    } catch {
      await sleep(INTERVAL_MS);
    } finally {
      // A server that has stopped responding does not close the connection either.
      await Promise.race([client.end().catch(() => undefined), sleep(INTERVAL_MS)]);
    }
  }
}
