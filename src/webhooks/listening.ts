import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

const PULSE_MS = 500;

/** Calls `hear` whenever deliveries were announced, until it is told to stop; a connection that breaks is made anew. */
export async function listen(databaseUrl: string, hear: () => void, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2000 });
    client.on('error', () => undefined);
    client.on('notification', hear);
    try {
      await client.connect();
      await client.query('listen deliveries');
      for (; !stop.aborted; await sleep(PULSE_MS)) await client.query('select 1');
    } catch {
      await sleep(PULSE_MS);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
