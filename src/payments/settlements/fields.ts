import { ArgsType, ObjectType } from 'type-graphql';
import { SETTLEMENT_TYPES } from '../../gateway/acquirer/settlementReport';
import type { Money } from '../../platform/money';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { Amount, Count, Currency, choice, Day, ListOf, Moment, Text } from '../../schema/shapes';

const SettlementStatus = choice(
  'SettlementStatus',
  'Whether everything that the acquirer says agrees with the books; what differs is looked into',
  'matched',
  'differs',
);

@ObjectType({ description: 'What the acquirer has settled for the merchant by one report' })
export class Settlement {
  @Text('Unique identifier', { id: 'settlement', example: 'x9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Day('Which day the acquirer has settled', { example: '2026-11-14' })
  day!: string;
  @Moment('When the acquirer made its report')
  creation_date!: Date;
  @SettlementStatus.field('matched, or differs while some of it is looked into')
  status!: 'matched' | 'differs';
  @Currency.field('Of all amounts')
  currency!: 'COP';
  @Count('How many items were settled', { example: 1 })
  count!: number;
  @Count('How many items of the report are looked into; they are in none of the sums', { example: 0 })
  differences!: number;
  @Amount('Of all charges', { example: 100000 })
  charges!: Money;
  @Amount('Of all refunds, negative', { example: 0 })
  refunds!: Money;
  @Amount('Of all chargebacks that were lost, negative', { example: 0 })
  chargebacks!: Money;
  @Amount('Of all payouts, negative', { example: 0 })
  payouts!: Money;
  @Amount('Of everything that was settled', { example: 100000 })
  amount!: Money;
  @Amount('What that cost; negative where more was given back', { example: 3800 })
  cost!: Money;
  @Amount('The tax on the cost', { example: 722 })
  cost_tax!: Money;
  @Amount('amount less cost and cost_tax', { example: 95478 })
  net!: Money;
}

@ArgsType()
class SettlementFilters extends Filters {
  @Day('For this day', { optional: true })
  day?: string;
  @Day('For this day or a later one', { optional: true })
  day_gte?: string;
  @Day('For this day or an earlier one', { optional: true })
  day_lte?: string;
}

@ArgsType()
export class SettlementsPage extends paged(SettlementFilters) {}

@ArgsType()
export class SettlementsWindow extends cursorPaged(SettlementFilters) {}

@ObjectType({ description: 'A window on the list of settlements, newest first' })
export class SettlementConnection extends connectionOf(Settlement) {}

export const SettlementTypeChoice = choice('SettlementType', 'What was settled', ...SETTLEMENT_TYPES);

@ObjectType({ description: 'Something that the acquirer has paid, or taken back' })
export class SettlementItem {
  @Text('Unique identifier; the same as in the statement', { example: 'charge-t9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @SettlementTypeChoice.field('What it was', { example: 'charge' })
  type!: string;
  @Text('The charge, refund or payout behind it', { id: 'transaction', example: 't9s8d7f6g5h4j3k2l1q0' })
  transaction_id!: string;
  @Text('The order_id of the transaction, or of the one that it gives back', { nullable: true, example: 'order-1' })
  order_id!: string | null;
  @Moment('When the acquirer did it')
  date!: Date;
  @Amount('What the acquirer paid; negative for what it took back', { example: 100000 })
  amount!: Money;
  @Amount('What that cost; negative for a cost that is given back', { example: 3800 })
  cost!: Money;
  @Amount('The tax on the cost', { example: 722 })
  cost_tax!: Money;
  @Amount('amount less cost and cost_tax', { example: 95478 })
  net!: Money;
}

@ObjectType({ description: 'The items of a settlement' })
export class SettlementItems {
  @Text('Of which settlement', { id: 'settlement', example: 'x9s8d7f6g5h4j3k2l1q0' })
  settlement_id!: string;
  @Day('Which day the acquirer has settled', { example: '2026-11-14' })
  day!: string;
  @Count('How many there are', { example: 1 })
  count!: number;
  @ListOf('Each in the order of the report', () => SettlementItem)
  items!: SettlementItem[];
}

@ArgsType()
export class ItemWindow {
  @Count('Items wanted', { optional: true, min: 1, max: 1000 })
  first: number = 10;
  @Text('The id of the item after which to go on', { optional: true, max: 100 })
  after?: string;
}
