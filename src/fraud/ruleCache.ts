/**
 * The rules of a merchant, without a query for every payment. When they change, the database says whose, and nothing is
 * kept while the listening connection is down.
 */
import type { Environment } from '../../prisma/generated/enums';
import type { Database } from '../database/connection';
import { listen } from '../database/listen';
import { presetsBeside } from './presets';
import { type FraudRuleRecord, narrowRule } from './rule';

const MAX_CACHED_MERCHANTS = 20_000;

export class FraudRuleCache {
  private readonly cache = new Map<string, Promise<FraudRuleRecord[]>>();
  private isListening = false;
  private readonly stop = new AbortController();
  private readonly listening: Promise<void>;

  constructor(
    private readonly db: Database,
    databaseUrl: string,
  ) {
    const onNotification = ({ payload = '' }: { payload?: string | undefined }): void => this.forget(payload);
    const onConnection = (isConnected: boolean): void => {
      this.cache.clear();
      this.isListening = isConnected;
    };
    this.listening = listen(databaseUrl, 'fraud_rules', { onNotification, onConnection }, this.stop.signal);
  }

  /** Those that are in force, defaults included. */
  rulesOf(merchant_id: string): Promise<FraudRuleRecord[]> {
    const cached = this.cache.get(merchant_id);
    if (cached) return cached;
    const loading = this.load(merchant_id);
    if (this.isListening) {
      if (this.cache.size >= MAX_CACHED_MERCHANTS) this.cache.clear();
      this.cache.set(merchant_id, loading);
      loading.catch(() => this.cache.get(merchant_id) === loading && this.forget(merchant_id));
    }
    return loading;
  }

  forget(merchant_id: string): void {
    this.cache.delete(merchant_id);
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.listening;
  }

  private async load(merchant_id: string): Promise<FraudRuleRecord[]> {
    const { environment, fraud_presets, fraud_rules } = await this.db.merchant.findUniqueOrThrow({
      where: { id: merchant_id },
      select: { environment: true, fraud_presets: true, fraud_rules: true },
    });
    const own = fraud_rules.map(narrowRule);
    const presets = presetsBeside((fraud_presets as Environment | null) ?? environment, own);
    return [...own, ...presets].filter(({ enabled }) => enabled);
  }
}
