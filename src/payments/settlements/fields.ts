import { ArgsType, ObjectType } from 'type-graphql';
import { SETTLEMENT_TYPES } from '../../gateway/acquirer/settlementReport';
import type { Money } from '../../platform/money';
import { connectionOf, uncountedConnectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { Amount, Count, Currency, choice, Day, ListOf, Moment, Text } from '../../schema/shapes';

const SettlementStatus = choice(
  'SettlementStatus',
  'Whether the settlement report agrees with the ledger; operators investigate differences',
  'matched',
  'differs',
);

@ObjectType({ description: "A settlement: the merchant's items in one settlement report of the acquirer" })
export class Settlement {
  @Text('Settlement ID', { id: 'settlement', example: 'x9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Day('Settled day', { example: '2026-11-14' })
  day!: string;
  @Moment('Time of the settlement report')
  creation_date!: Date;
  @SettlementStatus.field('`matched`, or `differs` while differences are investigated')
  status!: 'matched' | 'differs';
  @Currency.field('Currency of all amounts')
  currency!: 'COP';
  @Count('Number of settled items', { example: 1 })
  count!: number;
  @Count('Number of items under investigation; the sums exclude them', { example: 0 })
  differences!: number;
  @Amount('Sum of all charges', { example: 100000 })
  charges!: Money;
  @Amount('Sum of all refunds, negative', { example: 0 })
  refunds!: Money;
  @Amount('Sum of all lost chargebacks, negative', { example: 0 })
  chargebacks!: Money;
  @Amount('Sum of all payouts, negative', { example: 0 })
  payouts!: Money;
  @Amount('Sum of all settled items', { example: 100000 })
  amount!: Money;
  @Amount('Processing cost before tax; negative if refunds returned more', { example: 3800 })
  cost!: Money;
  @Amount('Tax on the cost', { example: 722 })
  cost_tax!: Money;
  @Amount('`amount` minus `cost` and `cost_tax`', { example: 95478 })
  net!: Money;
}

@ArgsType()
class SettlementFilters extends Filters {
  @Day('Settled day', { optional: true })
  day?: string;
  @Day('First settled day', { optional: true })
  day_gte?: string;
  @Day('Last settled day', { optional: true })
  day_lte?: string;
}

@ArgsType()
export class SettlementsArgs extends paged(SettlementFilters) {}

@ArgsType()
export class SettlementsConnectionArgs extends cursorPaged(SettlementFilters) {}

@ObjectType({ description: 'A page of settlements, newest first' })
export class SettlementConnection extends connectionOf(Settlement) {}

export const SettlementTypeChoice = choice('SettlementType', 'Type of a settled item', ...SETTLEMENT_TYPES);

@ObjectType({ description: 'An item of a settlement' })
export class SettlementItem {
  @Text('Item ID, the same as in the account statement', { example: 'charge-t9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @SettlementTypeChoice.field('Type of the item', { example: 'charge' })
  type!: string;
  @Text('ID of the charge, refund or payout', { id: 'transaction', example: 't9s8d7f6g5h4j3k2l1q0' })
  transaction_id!: string;
  @Text('order_id of the transaction, or of the refunded transaction', { nullable: true, example: 'order-1' })
  order_id!: string | null;
  @Moment('Time of the operation at the acquirer')
  date!: Date;
  @Amount('Settled amount; negative if the acquirer debits it', { example: 100000 })
  amount!: Money;
  @Amount('Processing cost before tax; negative if a refund returns it', { example: 3800 })
  cost!: Money;
  @Amount('Tax on the cost', { example: 722 })
  cost_tax!: Money;
  @Amount('`amount` minus `cost` and `cost_tax`', { example: 95478 })
  net!: Money;
}

@ObjectType({ description: 'The items of a settlement' })
export class SettlementItems {
  @Text('Settlement ID', { id: 'settlement', example: 'x9s8d7f6g5h4j3k2l1q0' })
  settlement_id!: string;
  @Day('Settled day', { example: '2026-11-14' })
  day!: string;
  @Count('Number of items', { example: 1 })
  count!: number;
  @ListOf('Items in the order of the report', () => SettlementItem, { untyped: true })
  items!: SettlementItem[];
}

@ObjectType({ description: 'A page of the items of a settlement' })
export class SettlementItemConnection extends uncountedConnectionOf(SettlementItem) {}

@ArgsType()
export class SettlementItemsArgs {
  @Count('Return the first n items (default 10)', { optional: true, min: 1, max: 1000 })
  first: number = 10;
  @Text('Return items after this cursor, which is an item ID', { optional: true, max: 100 })
  after?: string;
}
