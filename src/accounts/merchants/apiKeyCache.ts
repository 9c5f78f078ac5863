/**
 * Caches API keys and their merchants. The database announces changed keys and merchants, which are then dropped. Nothing
 * is cached while the listener is disconnected, so a revoked key stops working within a second.
 */
import { hash as hashOf, randomBytes } from 'node:crypto';
import type { Environment } from '../../../prisma/generated/enums';
import type { Database } from '../../platform/database/connection';
import { NotifiedCache } from '../../platform/database/listen';
import { type CallerKind, type KeyRights, type OperatorRole, SCOPE_ALL } from '../../schema/operation/context';
import { hashKey } from './keys';

export interface KeyHolder {
  /** Identifies the key without revealing it. */
  key: string;
  key_id: string;
  /** Empty for operators, which belong to no merchant and no environment. */
  merchant_id: string;
  environment: Environment | undefined;
  kind: CallerKind;
  /** Allowed networks; empty allows all. */
  addresses: readonly string[];
  /** Allowed origins of a session. */
  origins?: readonly string[];
  rights: KeyRights;
}

interface CachedKey {
  expires_at: Date | null;
  holder: KeyHolder;
}

/** Unknown keys are cached too, so that guessed keys do not load the database; the limit bounds the memory. */
const MAX_CACHED_KEYS = 20_000;

/** The end of a revoked session, independent of the clock of the process that revoked it. */
const LONG_AGO = new Date(0);

export class ApiKeyCache {
  /** Keyed by a salted hash: no key stays in memory, and it is cheaper than the stored hash. */
  private readonly cache: NotifiedCache<CachedKey | null>;
  private readonly salt = randomBytes(16).toString('hex');

  constructor(
    private readonly db: Database,
    databaseUrl: string,
    readonly secret: string,
  ) {
    this.cache = new NotifiedCache(databaseUrl, 'api_keys', id => this.forget(id), MAX_CACHED_KEYS);
  }

  async findHolder(key: string): Promise<KeyHolder | null> {
    const cachedKey = await this.lookUp(key);
    if (!cachedKey) return null;
    return cachedKey.expires_at && cachedKey.expires_at.getTime() <= Date.now() ? null : cachedKey.holder;
  }

  /** Whether this is the token of a session that was revoked or has expired within the last day. */
  async isEndedSession(token: string): Promise<boolean> {
    const found = await this.lookUp(token);
    return found?.holder.kind === 'session' && found.expires_at !== null && found.expires_at.getTime() <= Date.now();
  }

  /** Finds a key by its ID, for example that of a session. Not cached. */
  async findHolderOfKey(id: string): Promise<KeyHolder | null> {
    const row = await this.db.apiKey.findUnique({ where: { id }, select: { hash: true } });
    const found = row && (await this.load(row.hash));
    return found && !(found.expires_at && found.expires_at.getTime() <= Date.now()) ? found.holder : null;
  }

  close(): Promise<void> {
    return this.cache.close();
  }

  /** Drops all keys of a merchant or one session, and entries that are loading or unknown, which may have changed. */
  private forget(id: string): void {
    this.cache.forgetWhere(found => !found || found.holder.merchant_id === id || found.holder.key_id === id);
  }

  private lookUp(key: string): Promise<CachedKey | null> {
    const cacheKey = hashOf('sha256', this.salt + key, 'base64');
    return this.cache.find(cacheKey, () => {
      const hash = hashKey(key, this.secret);
      return key.startsWith('st_') ? this.loadSession(hash) : this.load(hash);
    });
  }

  private async load(hash: Uint8Array<ArrayBuffer>): Promise<CachedKey | null> {
    const key = nameOf(hash);
    const row = await this.db.apiKey.findUnique({
      where: { hash },
      include: { merchant: { select: { environment: true, status: true } } },
    });
    if (!row) return this.loadOperator(hash, key);
    const { id: key_id, merchant_id, kind, expires_at, addresses, read_only: isReadOnly, merchant } = row;
    const rights = { isReadOnly, isSuspended: merchant.status === 'suspended', role: undefined };
    const { environment } = merchant;
    return {
      expires_at,
      holder: { key, key_id, merchant_id, kind, environment, addresses, rights },
    };
  }

  /** A session never has more rights than the key that created it, and does not outlive it. */
  private async loadSession(hash: Uint8Array<ArrayBuffer>): Promise<CachedKey | null> {
    const row = await this.db.session.findUnique({
      where: { hash },
      include: { merchant: { select: { environment: true, status: true } } },
    });
    if (!row) return null;
    const { id: key_id, merchant_id, origins, customer_id, sign_in, creation_date, merchant, revoked_at } = row;
    const key = await this.db.apiKey.findUnique({ where: { id: row.key_id, merchant_id } });
    const scope = key?.read_only ? [] : row.scope;
    const isSuspended = merchant.status === 'suspended';
    const rights = {
      isReadOnly: !scope.includes(SCOPE_ALL),
      isSuspended,
      role: undefined,
      session: { scope, customer_id, sign_in, creation_date },
    };
    const { environment } = merchant;
    const holder = { key: nameOf(hash), key_id, merchant_id, kind: 'session' as const, environment, addresses: [] };
    const ends = [row.expires_at, key ? key.expires_at : LONG_AGO, revoked_at && LONG_AGO].filter(end => end !== null);
    const expires_at = new Date(Math.min(...ends.map(Number)));
    return { expires_at, holder: { ...holder, origins, rights } };
  }

  private async loadOperator(hash: Uint8Array<ArrayBuffer>, key: string): Promise<CachedKey | null> {
    const row = await this.db.operatorKey.findUnique({ where: { hash } });
    if (!row) return null;
    const rights = { isReadOnly: false, isSuspended: false, role: row.role as OperatorRole };
    const noMerchant = { merchant_id: '', environment: undefined, kind: 'operator' as const, addresses: [] };
    return { expires_at: row.expires_at, holder: { key, key_id: row.id, ...noMerchant, rights } };
  }
}

const nameOf = (hash: Uint8Array): string => Buffer.from(hash).toString('hex', 0, 10);
