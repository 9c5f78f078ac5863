/** Operations for the acquirer's settlement reports. */
import { Args, Ctx, Query, Resolver } from 'type-graphql';
import {
  DifferencesArgs,
  SettlementDifference,
  SettlementReportConnection,
  SettlementReportsArgs,
} from '../../payments/settlements/reportFields';
import { listDifferences, listReports, reportsWhere } from '../../payments/settlements/reports';
import { toConnection } from '../../schema/connections/connection';
import { totalWhere } from '../../schema/connections/rows';
import { sliceOf } from '../../schema/connections/window';
import type { Context } from '../../schema/operation/context';
import { Operators } from '../../schema/operation/guard';

@Resolver()
export class OperatorSettlements {
  @Operators('read')
  @Query(() => SettlementReportConnection, {
    description: 'For operators: settlement reports of the acquirers, newest first',
  })
  async settlementReports(
    @Ctx() { db }: Context,
    @Args(() => SettlementReportsArgs) window: SettlementReportsArgs,
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
    @Args(() => DifferencesArgs) { id, offset, limit }: DifferencesArgs,
  ): Promise<SettlementDifference[]> {
    return listDifferences(db, id, { skip: offset, take: limit });
  }
}
