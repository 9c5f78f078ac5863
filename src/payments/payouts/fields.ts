import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { BankAccount } from '../../accounts/bankAccounts/fields';
import type { Money } from '../../platform/money';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { Amount, Nested, Text } from '../../schema/shapes';
import { Movement, TransactionStatus, type TransactionStatusName } from '../charges/fields';

@ObjectType({ description: 'Money that the merchant has, on its way to its bank account' })
export class Payout extends Movement {
  @Nested('Where it goes', () => BankAccount)
  bank_account!: BankAccount;
}

@InputType({ description: 'What is to be paid to the bank account of the merchant' })
export class CreatePayout {
  @Amount('Amount, at most the balance', { min: 1, example: 500000 })
  amount!: Money;
  @Text('What it is for', { optional: true, max: 250, example: 'Sales of November' })
  description?: string;
  @Text("The merchant's own identifier, unique among its transactions", { optional: true, max: 100, digits: true })
  order_id?: string;
}

@ArgsType()
class PayoutFilters extends Filters {
  @Text("The merchant's own identifier", { optional: true, max: 100 })
  order_id?: string;
  @TransactionStatus.field('Of this status', { optional: true })
  status?: TransactionStatusName;
  @TransactionStatus.several('Of one of these statuses', { optional: true })
  status_in?: TransactionStatusName[];
  @Amount('Of this amount', { optional: true })
  amount?: Money;
  @Amount('Of this amount or more', { optional: true })
  amount_gte?: Money;
  @Amount('Of this amount or less', { optional: true })
  amount_lte?: Money;
}

@ArgsType()
export class PayoutsPage extends paged(PayoutFilters) {}

@ArgsType()
export class PayoutsWindow extends cursorPaged(PayoutFilters) {}

@ObjectType({ description: 'A window on a list of payouts, newest first' })
export class PayoutConnection extends connectionOf(Payout) {}
