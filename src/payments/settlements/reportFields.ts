/** Settlement reports for operators. */

import { ArgsType, ObjectType } from 'type-graphql';
import { MerchantEnvironment } from '../../accounts/merchants/fields';
import type { Money } from '../../platform/money';
import { connectionOf, uncountedConnectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters } from '../../schema/list';
import { Amount, Count, choice, Day, Moment, Text } from '../../schema/shapes';
import { SettlementTypeChoice } from './fields';
import { DIFFERENCES, REPORT_STATUSES, type ReportStatus } from './rows';

const ReportStatusChoice = choice(
  'SettlementReportStatus',
  '`receiving` while parts are missing, then `matching`, then `matched` or `differs`; `refused` if its sums are wrong',
  ...REPORT_STATUSES,
);

@ObjectType({ description: 'A settlement report of the acquirer for one day' })
export class SettlementReport {
  @Text('Settlement report ID', { id: 'settlement_report' })
  id!: string;
  @Text("The acquirer's reference of the report")
  reference!: string;
  @MerchantEnvironment.field('Environment of the report')
  environment!: string;
  @Day('Settled day')
  day!: string;
  @ReportStatusChoice.field('Status of the report')
  status!: ReportStatus;
  @Text('Reason for a refusal', { nullable: true })
  reason!: string | null;
  @Count('Number of parts')
  parts!: number;
  @Count('Number of items stated by the report')
  count!: number;
  @Amount('Total stated by the report')
  total!: Money;
  @Count('Number of items that match the ledger')
  matched!: number;
  @Count('Number of items that differ from the ledger')
  differing!: number;
  @Moment('Time of creation at the acquirer')
  creation_date!: Date;
  @Moment('Time at which the first part arrived')
  received_at!: Date;
  @Moment('Time at which the report was matched or refused', { nullable: true })
  ended_at!: Date | null;
}

@ArgsType()
class SettlementReportFilters extends Filters {
  @ReportStatusChoice.field('Status of the reports', { optional: true })
  status?: ReportStatus;
}

@ArgsType()
export class SettlementReportsArgs extends cursorPaged(SettlementReportFilters) {}

@ObjectType({ description: 'A page of settlement reports, newest first' })
export class SettlementReportConnection extends connectionOf(SettlementReport) {}

const DifferenceChoice = choice(
  'SettlementDifferenceResult',
  '`unknown`: no such transaction; `other_merchant`: the transaction belongs to another merchant; `not_in_books`: no ledger entries; `wrong_amount`: the amounts differ; `repeated`: settled earlier',
  ...DIFFERENCES,
);

@ObjectType({ description: 'An item of a settlement report that differs from the ledger' })
export class SettlementDifference {
  @Count('Line number in the report')
  line!: number;
  @DifferenceChoice.field('Type of the difference')
  result!: string;
  @Text('Merchant ID in the report')
  merchant_id!: string;
  @SettlementTypeChoice.field('Type of the item')
  type!: string;
  @Text('Idempotency key of the operation')
  key!: string;
  @Text('Transaction ID in the key')
  transaction_id!: string;
  @Moment('Time in the report')
  date!: Date;
  @Amount('Amount in the report')
  amount!: Money;
  @Amount('Amount in the ledger', { nullable: true })
  expected!: Money | null;
}

@ObjectType({ description: 'A page of differences' })
export class SettlementDifferenceConnection extends uncountedConnectionOf(SettlementDifference) {}

@ArgsType()
export class DifferencesArgs {
  @Text('Settlement report ID', { max: 45 })
  id!: string;
  @Count('Return the first n items (default 10)', { optional: true, min: 1, max: 1000 })
  first: number = 10;
  @Text('Return items after this cursor, which is a line number', { optional: true, max: 9 })
  after?: string;
}
