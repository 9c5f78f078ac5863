/** Activities of the settlement workflow. Each can run twice. */
import type { SettlementActivities } from '../../../workflows/contract';
import type { Database } from '../../platform/database/connection';
import { closeReport } from './closeReport';
import { matchNextItems, writeSettlements } from './matching/rows';

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
    const {
      _count: count,
      _sum,
      _min,
      _max,
    } = await db.settlementItem.aggregate({
      where: { report_id: id },
      _count: true,
      _sum: { amount: true },
      _min: { merchant_id: true },
      _max: { merchant_id: true },
    });
    const total = _sum.amount ?? 0n;
    const reason =
      count !== report.count
        ? `The report states ${report.count} items but has ${count}.`
        : total !== report.total
          ? 'The sum of the items differs from the stated total.'
          : undefined;
    const data = reason ? { status: 'refused', reason, ended_at: new Date() } : { status: 'matching' };
    await db.settlementReport.updateMany({ where: { id, status: 'receiving' }, data });
    if (reason) return { refused: reason };
    const { merchant_id } = _min;
    return merchant_id !== null && merchant_id === _max.merchant_id ? { merchant_id } : {};
  },

  matchItems: (id, isEnd) => matchNextItems(db, id, isEnd),

  tellMerchants: id => writeSettlements(db, id),

  closeReport: id => closeReport(db, id),
});
