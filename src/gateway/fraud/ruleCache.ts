/** Caches each merchant's fraud rules. Database notifications invalidate changed merchants. */
import type { Environment } from '../../../prisma/generated/enums';
import type { Database } from '../../platform/database/connection';
import { NotifiedCache } from '../../platform/database/listen';
import { activePresets } from './presets';
import { type FraudRuleRecord, narrowRule } from './rule';

const MAX_CACHED_MERCHANTS = 20_000;

export class FraudRuleCache {
  private readonly cache: NotifiedCache<FraudRuleRecord[]>;

  constructor(
    private readonly db: Database,
    databaseUrl: string,
  ) {
    this.cache = new NotifiedCache(databaseUrl, 'fraud_rules', id => this.forget(id), MAX_CACHED_MERCHANTS);
  }

  /** Enabled rules, including defaults. */
  rulesOf(merchant_id: string): Promise<FraudRuleRecord[]> {
    return this.cache.find(merchant_id, () => this.load(merchant_id));
  }

  forget(merchant_id: string): void {
    this.cache.forget(merchant_id);
  }

  close(): Promise<void> {
    return this.cache.close();
  }

  private async load(merchant_id: string): Promise<FraudRuleRecord[]> {
    const { environment, fraud_presets, fraud_rules } = await this.db.merchant.findUniqueOrThrow({
      where: { id: merchant_id },
      select: { environment: true, fraud_presets: true, fraud_rules: true },
    });
    const own = fraud_rules.map(narrowRule);
    const presets = activePresets((fraud_presets as Environment | null) ?? environment, own);
    return [...own, ...presets].filter(({ enabled }) => enabled);
  }
}
