/**
 * Who holds a key, without asking the database for every request. What was learned is kept in memory; the database tells by NOTIFY
 * when a key or a merchant changes, and then everything is forgotten. While nobody listens, nothing is kept, so a revoked key stops
 * working within a second whatever happens to the connection.
 */
import { timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Environment, KeyKind } from '../../prisma/generated/enums';
import type { Database } from '../database/connection';
import { hashKey } from './keys';

export interface KeyHolder {
  merchant_id: string;
  environment: Environment;
  kind: KeyKind;
}

interface CachedKey {
  hash: Uint8Array;
  expires_at: Date | null;
  holder: KeyHolder;
}

/** Strangers' keys are remembered too, so that guessing does not load the database; but not without end. */
const MAX_CACHED_KEYS = 20_000;
const HEARTBEAT_MS = 250;

export class ApiKeyCache {
  private known = new Map<string, Promise<CachedKey | null>>();
  private listening = false;
  private closed = false;
  private readonly listener: Promise<void>;

  constructor(
    private readonly db: Database,
    private readonly databaseUrl: string,
    private readonly secret: string,
  ) {
    this.listener = this.listen();
  }

  async findHolder(key: string): Promise<KeyHolder | null> {
    const hash = hashKey(key, this.secret);
    const known = await this.lookUp(hash);
    if (!known || !timingSafeEqual(known.hash, hash)) return null;
    return known.expires_at && known.expires_at.getTime() <= Date.now() ? null : known.holder;
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.listener;
  }

  private lookUp(hash: Uint8Array<ArrayBuffer>): Promise<CachedKey | null> {
    const name = Buffer.from(hash).toString('latin1');
    const remembered = this.known.get(name);
    if (remembered) return remembered;
    const asked = this.ask(hash);
    if (this.listening) {
      if (this.known.size >= MAX_CACHED_KEYS) this.known.clear();
      this.known.set(name, asked);
      asked.catch(() => this.known.delete(name));
    }
    return asked;
  }

  private async ask(hash: Uint8Array<ArrayBuffer>): Promise<CachedKey | null> {
    const row = await this.db.apiKey.findUnique({
      where: { hash },
      include: { merchant: { select: { environment: true } } },
    });
    if (!row) return null;
    const { merchant_id, kind, expires_at, merchant } = row;
    return { hash: row.hash, expires_at, holder: { merchant_id, kind, environment: merchant.environment } };
  }

  private async listen(): Promise<void> {
    while (!this.closed) {
      const client = new Client({
        connectionString: this.databaseUrl,
        connectionTimeoutMillis: 2000,
        query_timeout: HEARTBEAT_MS,
      });
      client.on('error', () => this.forget(false));
      client.on('notification', () => this.forget(true));
      try {
        await client.connect();
        await client.query('listen api_keys');
        this.forget(true);
        while (!this.closed) {
          // A connection that died in silence shows itself here.
          await sleep(HEARTBEAT_MS);
          await client.query('select 1');
        }
      } catch {
        await sleep(HEARTBEAT_MS);
      } finally {
        this.forget(false);
        await client.end().catch(() => undefined);
      }
    }
  }

  private forget(listening: boolean): void {
    this.known = new Map();
    this.listening = listening;
  }
}
