import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

/** Between connection attempts, and between the heartbeats of a listener whose patience is not longer. */
export const HEARTBEAT_INTERVAL_MS = 250;
export const HEARTBEAT_TIMEOUT_MS = 250;
const CONNECT_TIMEOUT_MS = 2000;

interface Listener {
  onNotification: (message: { payload?: string | undefined }) => void;
  /** True: earlier notifications may have been lost. False: notifications are being lost. */
  onConnection?: (isConnected: boolean) => void;
  /** A connection that does not answer a heartbeat for this long is dropped. Heartbeats are at least as far apart. */
  patienceMs?: number;
}

type Channel = 'api_keys' | 'deliveries' | 'fraud_rules';

/** Listens on a database channel and reconnects until `stop` aborts. */
export async function listen(
  databaseUrl: string,
  channel: Channel,
  { onNotification, onConnection = () => undefined, patienceMs = HEARTBEAT_TIMEOUT_MS }: Listener,
  stop: AbortSignal,
): Promise<void> {
  const pause = (delayMs: number) => sleep(delayMs, undefined, { signal: stop }).catch(() => undefined);
  const betweenHeartbeatsMs = Math.max(HEARTBEAT_INTERVAL_MS, patienceMs);
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
      for (; !stop.aborted; await pause(betweenHeartbeatsMs)) await client.query('select 1');
    } catch {
      onConnection(false);
      await pause(HEARTBEAT_INTERVAL_MS);
    }
    isCurrent = false;
    // A server that has stopped responding does not close the connection.
    await Promise.race([client.end().catch(() => undefined), sleep(HEARTBEAT_INTERVAL_MS)]);
  }
  onConnection(false);
}

interface CacheEntry<Value> {
  loading: Promise<Value>;
  value: Value | undefined;
}

/** Caches loaded values until a notification says that they changed. Caches nothing while the listener is disconnected. */
export class NotifiedCache<Value> {
  private readonly entries = new Map<string, CacheEntry<Value>>();
  private isListening = false;
  private readonly stop = new AbortController();
  private readonly listening: Promise<void>;

  /** `onChange` receives the notification and drops the affected entries. */
  constructor(
    databaseUrl: string,
    channel: Channel,
    onChange: (payload: string) => void,
    private readonly maxEntries: number,
  ) {
    const onNotification = ({ payload = '' }: { payload?: string | undefined }): void => onChange(payload);
    const onConnection = (isConnected: boolean): void => {
      this.entries.clear();
      this.isListening = isConnected;
    };
    this.listening = listen(databaseUrl, channel, { onNotification, onConnection }, this.stop.signal);
  }

  find(key: string, load: () => Promise<Value>): Promise<Value> {
    const kept = this.entries.get(key);
    if (kept) return kept.loading;
    const entry: CacheEntry<Value> = { loading: load(), value: undefined };
    if (this.isListening) {
      if (this.entries.size >= this.maxEntries) this.entries.clear();
      this.entries.set(key, entry);
      entry.loading.then(
        value => {
          entry.value = value;
        },
        () => this.entries.get(key) === entry && this.forget(key),
      );
    }
    return entry.loading;
  }

  forget(key: string): void {
    this.entries.delete(key);
  }

  /** `value` is undefined for an entry that is still loading. */
  forgetWhere(isConcerned: (value: Value | undefined) => boolean): void {
    for (const [key, { value }] of this.entries) if (isConcerned(value)) this.entries.delete(key);
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.listening;
  }
}
