/** Activities of the settlement workflow. Each can run twice. */
import type { SettlementActivities } from '../../../workflows/contract';
import type { Database } from '../../platform/database/connection';
import { closeReport } from './closeReport';
import { matchNextItems } from './match';
import { writeSettlements } from './settle';

export const settlementActivities = (db: Database): SettlementActivities => ({
  async collectParts(id) {
    const report = await db.settlementReport.findUniqueOrThrow({ where: { id }, include: { received: true } });
    const received = new Set(report.received.map(({ part }) => part));
    const all = Array.from({ length: report.parts }, (_, i) => i + 1);
    return { missing: all.filter(part => !received.has(part)) };
  },

  async checkSums(id) {
    const report = await db.settlementReport.findUniqueOrThrow({ where: { id } });
    if (report.reason !== null) return { refused: report.reason };
    const [items] = await db.$queryRaw<{ count: bigint; total: string; merchant_id: string | null }[]>`
      select count(*), coalesce(sum(amount), 0)::text as total,
        case when min(merchant_id) = max(merchant_id) then min(merchant_id) end as merchant_id
      from settlement_items where report_id = ${id}`;
    const count = Number(items?.count ?? 0);
    const total = BigInt(items?.total ?? 0);
    const reason =
      count !== report.count
        ? `The report states ${report.count} items but has ${count}.`
        : total !== report.total
          ? 'The sum of the items differs from the stated total.'
          : undefined;
    const data = reason ? { status: 'refused', reason, ended_at: new Date() } : { status: 'matching' };
    await db.settlementReport.updateMany({ where: { id, status: 'receiving' }, data });
    if (reason) return { refused: reason };
    return items?.merchant_id ? { merchant_id: items.merchant_id } : {};
  },

  matchItems: (id, isEnd) => matchNextItems(db, id, isEnd),

  tellMerchants: id => writeSettlements(db, id),

  closeReport: id => closeReport(db, id),
});
