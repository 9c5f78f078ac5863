import type { Prisma } from '../../../prisma/generated/client';
import type { SettlementReportModel } from '../../../prisma/generated/models';
import type { Database } from '../../platform/database/connection';
import { omitUndefined } from '../../platform/database/omitUndefined';
import { ApiError } from '../../platform/errors';
import { type Slice, sliced } from '../../schema/connections/window';
import { listWhere } from '../../schema/list';
import type { SettlementDifference, SettlementReport, SettlementReportsArgs } from './reportFields';
import type { ReportStatus } from './rows';

const toReport = (row: SettlementReportModel): SettlementReport => ({ ...row, status: row.status as ReportStatus });

export const reportsWhere = ({ status, ...filters }: SettlementReportsArgs) => ({
  ...omitUndefined({ status }),
  ...listWhere(filters),
});

export async function listReports(
  db: Database,
  where: Prisma.SettlementReportWhereInput,
  slice: Slice,
): Promise<SettlementReport[]> {
  return (await db.settlementReport.findMany(sliced(where, slice))).map(toReport);
}

export async function listDifferences(
  db: Database,
  report_id: string,
  { after = 0, take }: { after?: number; take: number },
): Promise<SettlementDifference[]> {
  if (!(await db.settlementReport.findUnique({ where: { id: report_id }, select: { id: true } })))
    throw new ApiError('not_found');
  const where = { report_id, result: { not: 'matched' }, line: { gt: after } };
  const items = await db.settlementItem.findMany({ where, orderBy: { line: 'asc' }, take });
  return items.map(item => ({ ...item, result: item.result ?? '' }));
}
