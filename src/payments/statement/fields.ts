import { ArgsType, ObjectType } from 'type-graphql';
import type { Money } from '../../platform/money';
import { Amount, Count, Currency, choice, Day, ListOf, Moment, Nested, Text } from '../../schema/shapes';
import { MOVEMENT_TYPES } from './types';

@ArgsType()
export class StatementDays {
  @Day('Its first day; by default the first of the month of `to`', { optional: true })
  from?: string;
  @Day('Its last day; by default today', { optional: true })
  to?: string;
}

@ArgsType()
export class MovementWindow {
  @Count('Movements wanted', { optional: true, min: 1, max: 1000 })
  first: number = 10;
  @Text('The id of the movement after which to go on', { optional: true, max: 100 })
  after?: string;
}

const MovementType = choice('MovementType', 'What moved money on an account', ...MOVEMENT_TYPES);

@ObjectType({ description: 'Something that changed the balance of the merchant, or cost it something' })
export class StatementMovement {
  @Text('Unique identifier', { example: 'charge-t9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Moment('When it was booked')
  date!: Date;
  @MovementType.field('What it was', { example: 'charge' })
  type!: string;
  @Text('The charge, refund or fee behind it', { id: 'transaction', example: 't9s8d7f6g5h4j3k2l1q0' })
  transaction_id!: string;
  @Text('The order_id of the transaction, or of the one that it gives back', { nullable: true, example: 'order-1' })
  order_id!: string | null;
  @Text('The description of the transaction', { nullable: true, example: 'First order' })
  description!: string | null;
  @Amount('What the merchant got, before costs; negative for what it gave', { example: 100000 })
  amount!: Money;
  @Amount('What that cost; negative for a cost that is given back', { example: 3800 })
  cost!: Money;
  @Amount('The tax on the cost', { example: 722 })
  cost_tax!: Money;
  @Amount('By how much the balance changed: amount less cost and cost_tax', { example: 95478 })
  net!: Money;
  @Amount('The balance afterwards', { example: 1095478 })
  balance!: Money;
}

@ObjectType({ description: 'The sums of a statement' })
export class StatementTotals {
  @Amount('Of all amounts', { example: 100000 })
  amount!: Money;
  @Amount('Of all costs', { example: 3800 })
  cost!: Money;
  @Amount('Of all taxes on costs', { example: 722 })
  cost_tax!: Money;
  @Amount('Of all changes: closing_balance less opening_balance', { example: 95478 })
  net!: Money;
}

@ObjectType({ description: 'What moved on the account of the merchant from one day to another' })
export class Statement {
  @Day('Its first day', { example: '2026-11-01' })
  from!: string;
  @Day('Its last day, included', { example: '2026-11-30' })
  to!: string;
  @Currency.field('Of all amounts')
  currency!: 'COP';
  @Amount('The balance before the first day', { example: 1000000 })
  opening_balance!: Money;
  @Amount('The balance after the last day', { example: 1095478 })
  closing_balance!: Money;
  @Nested('The sums of all movements', () => StatementTotals)
  totals!: StatementTotals;
  @ListOf('Every movement in its order', () => StatementMovement)
  movements!: StatementMovement[];
}
