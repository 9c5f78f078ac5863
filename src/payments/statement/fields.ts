import { ArgsType, ObjectType } from 'type-graphql';
import type { Money } from '../../platform/money';
import { uncountedConnectionOf } from '../../schema/connections/connection';
import { Amount, Count, Currency, choice, Day, ListOf, Moment, Nested, Text } from '../../schema/shapes';
import { MOVEMENT_TYPES } from './types';

@ArgsType()
export class StatementArgs {
  @Day('First day; defaults to the first day of the month of `to`', { optional: true })
  from?: string;
  @Day('Last day (default today)', { optional: true })
  to?: string;
}

@ArgsType()
export class MovementsArgs {
  @Count('Return the first n movements (default 10)', { optional: true, min: 1, max: 1000 })
  first: number = 10;
  @Text('Return movements after this cursor, which is a movement ID', { optional: true, max: 100 })
  after?: string;
}

const MovementType = choice('MovementType', 'Type of an account movement', ...MOVEMENT_TYPES);

@ObjectType({ description: "A movement that changed the merchant's balance or caused a cost" })
export class StatementMovement {
  @Text('Movement ID', { example: 'charge-t9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Moment('Booking time')
  date!: Date;
  @MovementType.field('Type of the movement', { example: 'charge' })
  type!: string;
  @Text('ID of the charge, refund, fee or payout', { id: 'transaction', example: 't9s8d7f6g5h4j3k2l1q0' })
  transaction_id!: string;
  @Text('order_id of the transaction, or of the refunded transaction', { nullable: true, example: 'order-1' })
  order_id!: string | null;
  @Text('Description of the transaction', { nullable: true, example: 'First order' })
  description!: string | null;
  @Amount('Amount before costs; negative for debits', { example: 100000 })
  amount!: Money;
  @Amount('Processing cost before tax; negative if a refund returns it', { example: 3800 })
  cost!: Money;
  @Amount('Tax on the cost', { example: 722 })
  cost_tax!: Money;
  @Amount('Balance change: `amount` minus `cost` and `cost_tax`', { example: 95478 })
  net!: Money;
  @Amount('Balance after the movement', { example: 1095478 })
  balance!: Money;
  @Amount('IVA (value-added tax) included in the amount, if the charge states it; negative for debits', {
    nullable: true,
    example: 15966.39,
  })
  tax!: Money | null;
}

@ObjectType({ description: 'A page of the movements of a statement' })
export class StatementMovementConnection extends uncountedConnectionOf(StatementMovement) {}

@ObjectType({ description: 'Totals of an account statement' })
export class StatementTotals {
  @Amount('Sum of all amounts', { example: 100000 })
  amount!: Money;
  @Amount('Sum of all costs', { example: 3800 })
  cost!: Money;
  @Amount('Sum of all taxes on costs', { example: 722 })
  cost_tax!: Money;
  @Amount('Sum of all balance changes: `closing_balance` minus `opening_balance`', { example: 95478 })
  net!: Money;
}

@ObjectType({ description: "The merchant's account statement for a period" })
export class Statement {
  @Day('First day', { example: '2026-11-01' })
  from!: string;
  @Day('Last day, inclusive', { example: '2026-11-30' })
  to!: string;
  @Currency.field('Currency of all amounts')
  currency!: 'COP';
  @Amount('Balance before the first day', { example: 1000000 })
  opening_balance!: Money;
  @Amount('Balance after the last day', { example: 1095478 })
  closing_balance!: Money;
  @Nested('Totals of all movements', () => StatementTotals)
  totals!: StatementTotals;
  @ListOf('Movements in chronological order', () => StatementMovement, { untyped: true })
  movements!: StatementMovement[];
}
