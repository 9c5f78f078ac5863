/** Settlement reports as operators see them. */
import { ArgsType, ObjectType } from 'type-graphql';
import { MerchantEnvironment } from '../../accounts/merchants/fields';
import type { Money } from '../../platform/money';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { Amount, Count, choice, Day, Moment, Reference, Text } from '../../schema/shapes';
import { SettlementTypeChoice } from './fields';
import { DIFFERENCES, REPORT_STATUSES, type ReportStatus } from './rows';

const ReportStatusChoice = choice(
  'SettlementReportStatus',
  'receiving while parts are missing, matching, then matched or differs; refused where its sums are wrong',
  ...REPORT_STATUSES,
);

@ObjectType({ description: 'What the acquirer says that it has settled for a day' })
export class SettlementReport {
  @Text('Unique identifier', { id: 'settlement_report' })
  id!: string;
  @Text('What the acquirer calls it')
  reference!: string;
  @MerchantEnvironment.field('sandbox or production')
  environment!: string;
  @Day('Which day')
  day!: string;
  @ReportStatusChoice.field('How it stands')
  status!: ReportStatus;
  @Text('Why it was refused', { nullable: true })
  reason!: string | null;
  @Count('In how many parts it comes')
  parts!: number;
  @Count('How many items it says that it has')
  count!: number;
  @Amount('What it says that they sum up to')
  total!: Money;
  @Count('How many items agree with the books')
  matched!: number;
  @Count('How many items do not')
  differing!: number;
  @Moment('When the acquirer made it')
  creation_date!: Date;
  @Moment('When its first part came')
  received_at!: Date;
  @Moment('When it was matched or refused', { nullable: true })
  ended_at!: Date | null;
}

@ArgsType()
class SettlementReportFilters extends Filters {
  @ReportStatusChoice.field('How they stand', { optional: true })
  status?: ReportStatus;
}

@ArgsType()
export class SettlementReportsPage extends paged(SettlementReportFilters) {}

@ArgsType()
export class SettlementReportsWindow extends cursorPaged(SettlementReportFilters) {}

@ObjectType({ description: 'A window on the list of settlement reports, newest first' })
export class SettlementReportConnection extends connectionOf(SettlementReport) {}

const DifferenceChoice = choice(
  'SettlementDifferenceResult',
  'unknown: no such transaction; other_merchant: it is not theirs; not_in_books: no money moved here; wrong_amount; repeated: settled before',
  ...DIFFERENCES,
);

@ObjectType({ description: 'An item of a settlement report that does not agree with the books' })
export class SettlementDifference {
  @Count('Which item of the report')
  line!: number;
  @DifferenceChoice.field('How it differs')
  result!: string;
  @Text('Whose it is, by the word of the acquirer')
  merchant_id!: string;
  @SettlementTypeChoice.field('What it is')
  type!: string;
  @Text('The key of the acquirer')
  key!: string;
  @Text('The transaction that the key is of')
  transaction_id!: string;
  @Moment('When, by the word of the acquirer')
  date!: Date;
  @Amount('How much, by the word of the acquirer')
  amount!: Money;
  @Amount('How much the books say', { nullable: true })
  expected!: Money | null;
}

@ArgsType()
export class DifferencesPage {
  @Reference('Which report', { max: 45 })
  id!: string;
  @Count('Records to skip', { optional: true, min: 0 })
  offset: number = 0;
  @Count('Records wanted', { optional: true, min: 1, max: 1000 })
  limit: number = 10;
}
