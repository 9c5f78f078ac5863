/**
 * Finds the merchant of an API key without a query for every request. Keys are cached in memory; when a key or a
 * merchant changes, the database says whose, and those are forgotten. Nothing is cached while the listening
 * connection is down, so a revoked key stops working within a second whatever happens to that connection.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Environment, KeyKind } from '../../prisma/generated/enums';
import type { KeyRights, OperatorRole } from '../context';
import type { Database } from '../database/connection';
import { listen } from '../database/listen';
import { hashKey } from './keys';

export interface KeyHolder {
  /** Tells keys apart, and says nothing about them. */
  key: string;
  key_id: string;
  /** Empty for an operator, who is of no merchant and no environment. */
  merchant_id: string;
  environment: Environment | undefined;
  kind: KeyKind | 'operator';
  /** Networks that it may be used from; none means any. */
  addresses: readonly string[];
  rights: KeyRights;
}

interface CachedKey {
  hash: Uint8Array;
  expires_at: Date | null;
  holder: KeyHolder;
}

interface CacheEntry {
  loading: Promise<CachedKey | null>;
  /** Once it is known, and of a known key. */
  merchant_id: string | undefined;
}

/**
 * Unknown keys are cached too, so that guessing keys does not load the database; the limit keeps them from filling the
 * memory.
 */
const MAX_CACHED_KEYS = 20_000;

export class ApiKeyCache {
  private readonly cache = new Map<string, CacheEntry>();
  private isListening = false;
  private readonly stop = new AbortController();
  private readonly listening: Promise<void>;

  constructor(
    private readonly db: Database,
    databaseUrl: string,
    readonly secret: string,
  ) {
    const onNotification = ({ payload = '' }: { payload?: string | undefined }): void => this.forget(payload);
    const onConnection = (isConnected: boolean): void => {
      this.cache.clear();
      this.isListening = isConnected;
    };
    this.listening = listen(databaseUrl, 'api_keys', { onNotification, onConnection }, this.stop.signal);
  }

  async findHolder(key: string): Promise<KeyHolder | null> {
    const hash = hashKey(key, this.secret);
    const cachedKey = await this.lookUp(hash);
    if (!cachedKey || !timingSafeEqual(cachedKey.hash, hash)) return null;
    return cachedKey.expires_at && cachedKey.expires_at.getTime() <= Date.now() ? null : cachedKey.holder;
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.listening;
  }

  /** Those of this merchant, those that are being looked up just now, and the unknown ones, of which one may be new. */
  private forget(merchant_id: string): void {
    for (const [cacheKey, entry] of this.cache)
      if (entry.merchant_id === undefined || entry.merchant_id === merchant_id) this.cache.delete(cacheKey);
  }

  private lookUp(hash: Uint8Array<ArrayBuffer>): Promise<CachedKey | null> {
    const cacheKey = Buffer.from(hash).toString('latin1');
    const cached = this.cache.get(cacheKey);
    if (cached) return cached.loading;
    const loading = this.load(hash);
    if (this.isListening) {
      if (this.cache.size >= MAX_CACHED_KEYS) this.cache.clear();
      const entry: CacheEntry = { loading, merchant_id: undefined };
      this.cache.set(cacheKey, entry);
      loading.then(
        key => {
          entry.merchant_id = key?.holder.merchant_id;
        },
        () => this.cache.get(cacheKey) === entry && this.cache.delete(cacheKey),
      );
    }
    return loading;
  }

  private async load(hash: Uint8Array<ArrayBuffer>): Promise<CachedKey | null> {
    const key = Buffer.from(hash).toString('hex', 0, 10);
    const row = await this.db.apiKey.findUnique({
      where: { hash },
      include: { merchant: { select: { environment: true, status: true } } },
    });
    if (!row) return this.loadOperator(hash, key);
    const { id: key_id, merchant_id, kind, expires_at, addresses, read_only: isReadOnly, merchant } = row;
    const rights = { isReadOnly, isSuspended: merchant.status === 'suspended', role: undefined };
    const { environment } = merchant;
    return {
      hash: row.hash,
      expires_at,
      holder: { key, key_id, merchant_id, kind, environment, addresses, rights },
    };
  }

  private async loadOperator(hash: Uint8Array<ArrayBuffer>, key: string): Promise<CachedKey | null> {
    const row = await this.db.operatorKey.findUnique({ where: { hash } });
    if (!row) return null;
    const rights = { isReadOnly: false, isSuspended: false, role: row.role as OperatorRole };
    const ofNobody = { merchant_id: '', environment: undefined, kind: 'operator' as const, addresses: [] };
    return { hash: row.hash, expires_at: row.expires_at, holder: { key, key_id: row.id, ...ofNobody, rights } };
  }
}
