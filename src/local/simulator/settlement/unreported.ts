/** The money that moved and is in no settlement report yet, and the reports that the gateway has not accepted yet. */
import type { ReportedItem } from '../../../gateway/acquirer/settlementReport';

/** Whose money it is, as the gateway says with each order. */
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
  /** How many reports there are of a day for somebody. */
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
