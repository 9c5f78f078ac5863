/** Operations for the acquirer's settlement reports. */
import { Args, Ctx, Query, Resolver } from 'type-graphql';
import {
  DifferencesPage,
  SettlementDifference,
  SettlementReport,
  SettlementReportConnection,
  SettlementReportsPage,
  SettlementReportsWindow,
} from '../../payments/settlements/reportFields';
import { listDifferences, listReports, reportsWhere } from '../../payments/settlements/reports';
import { toConnection } from '../../schema/connections/connection';
import { totalWhere } from '../../schema/connections/rows';
import { pageSlice, sliceOf } from '../../schema/connections/window';
import type { Context } from '../../schema/operation/context';
import { Operators } from '../../schema/operation/guard';

@Resolver()
export class OperatorSettlements {
  @Operators('read')
  @Query(() => [SettlementReport], { description: 'For operators: settlement reports of the acquirers, newest first' })
  settlementReports(
    @Ctx() { db }: Context,
    @Args(() => SettlementReportsPage) page: SettlementReportsPage,
  ): Promise<SettlementReport[]> {
    return listReports(db, reportsWhere(page), pageSlice(page));
  }

  @Operators('read')
  @Query(() => SettlementReportConnection, {
    description: 'For operators: settlement reports by cursor, newest first',
  })
  async settlementReportsConnection(
    @Ctx() { db }: Context,
    @Args(() => SettlementReportsWindow) window: SettlementReportsWindow,
  ): Promise<SettlementReportConnection> {
    const where = reportsWhere(window);
    const reports = await listReports(db, where, sliceOf(window));
    return toConnection(window, reports, totalWhere(db, 'settlement_reports', where));
  }

  @Operators('read')
  @Query(() => [SettlementDifference], {
    description: 'For operators: items of a settlement report that differ from the ledger, in report order',
  })
  settlementDifferences(
    @Ctx() { db }: Context,
    @Args(() => DifferencesPage) { id, offset, limit }: DifferencesPage,
  ): Promise<SettlementDifference[]> {
    return listDifferences(db, id, { skip: offset, take: limit });
  }
}
