/** Operations not yet in a settlement report, and reports not yet accepted by the gateway. */
import type { ReportedItem } from '../../../gateway/acquirer/settlementReport';

/** Merchant of an order, as sent by the gateway. */
export interface Payee {
  merchant: string;
  environment: string;
}

export interface UnreportedItem extends ReportedItem {
  environment: string;
  /** In real time. */
  recorded: string;
}

export interface MadeReport {
  id: string;
  day: string;
  date: string;
  items: ReportedItem[];
}

const nameOf = ({ type, key }: Pick<ReportedItem, 'type' | 'key'>): string => `${type} ${key}`;

export class SettlementState {
  /** By merchant, then by type and key. */
  private readonly items = new Map<string, Map<string, UnreportedItem>>();
  /** Number of reports by day and merchant. */
  private readonly counts = new Map<string, number>();
  readonly unaccepted = new Map<string, MadeReport>();

  add(item: UnreportedItem): void {
    const ofMerchant = this.items.get(item.merchant) ?? new Map<string, UnreportedItem>();
    this.items.set(item.merchant, ofMerchant.set(nameOf(item), item));
  }

  remove({ merchant, ...item }: Pick<ReportedItem, 'merchant' | 'type' | 'key'>): void {
    const ofMerchant = this.items.get(merchant);
    ofMerchant?.delete(nameOf(item));
    if (ofMerchant?.size === 0) this.items.delete(merchant);
  }

  applyReport(report: MadeReport): void {
    for (const item of report.items) this.remove(item);
    const name = report.id.replace(/-\d+$/, '');
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    this.unaccepted.set(report.id, report);
  }

  of = (merchant: string): UnreportedItem[] => [...(this.items.get(merchant)?.values() ?? [])];

  all = (): UnreportedItem[] => [...this.items.keys()].flatMap(this.of);

  nextId = (name: string): string => `${name}-${(this.counts.get(name) ?? 0) + 1}`;
}
