/** Operations for the acquirer's settlement reports. */
import { Args, Ctx, Query, Resolver } from 'type-graphql';
import {
  DifferencesArgs,
  SettlementDifferenceConnection,
  SettlementReportConnection,
  SettlementReportsArgs,
} from '../../payments/settlements/reportFields';
import { listDifferences, listReports, reportsWhere } from '../../payments/settlements/reports';
import { ApiError } from '../../platform/errors';
import { toConnection, toForwardConnection } from '../../schema/connections/connection';
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
  @Query(() => SettlementDifferenceConnection, {
    description: 'For operators: items of a settlement report that differ from the ledger, in report order',
  })
  async settlementDifferences(
    @Ctx() { db }: Context,
    @Args(() => DifferencesArgs) { id, ...window }: DifferencesArgs,
  ): Promise<SettlementDifferenceConnection> {
    const after = Number(window.after ?? 0);
    if (!Number.isSafeInteger(after)) throw new ApiError('invalid_value', 'not_cursor', { field: 'after' });
    const items = await listDifferences(db, id, { after, take: window.first + 1 });
    return toForwardConnection(window, items, ({ line }) => `${line}`);
  }
}
