import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** Between heartbeats, which notice a connection that died without an error, and between attempts to connect. */
export const HEARTBEAT_INTERVAL_MS = 250;
export const HEARTBEAT_TIMEOUT_MS = 250;
const CONNECT_TIMEOUT_MS = 2000;

interface Listener {
  onNotification: (message: { payload?: string | undefined }) => void;
  /** Notifications may have been lost before it is called with true, and are being lost after a false. */
  onConnection?: (isConnected: boolean) => void;
  /** A connection that does not answer a heartbeat for this long is given up. */
  patienceMs?: number;
}

/** Listens on a channel of the database until `stop` aborts, and ends soon after. Reconnects by itself. */
export async function listen(
  databaseUrl: string,
  channel: 'api_keys' | 'deliveries' | 'fraud_rules',
  { onNotification, onConnection = () => undefined, patienceMs = HEARTBEAT_TIMEOUT_MS }: Listener,
  stop: AbortSignal,
): Promise<void> {
  const pause = () => sleep(HEARTBEAT_INTERVAL_MS, undefined, { signal: stop }).catch(() => undefined);
  while (!stop.aborted) {
    const limits = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: patienceMs };
    const client = new Client({ connectionString: databaseUrl, keepAlive: true, ...limits });
    let isCurrent = true;
    client.on('error', () => isCurrent && onConnection(false));
    client.on('notification', onNotification);
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      onConnection(true);
      for (; !stop.aborted; await pause()) await client.query('select 1');
    } catch {
      onConnection(false);
      await pause();
    }
    isCurrent = false;
    // A server that has stopped responding does not close the connection either.
    await Promise.race([client.end().catch(() => undefined), sleep(HEARTBEAT_INTERVAL_MS)]);
  }
  onConnection(false);
}
