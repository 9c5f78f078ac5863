import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { BankAccount } from '../../accounts/bankAccounts/fields';
import type { Money } from '../../platform/money';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { Amount, Nested, Text } from '../../schema/shapes';
import { Movement, TransactionStatus, type TransactionStatusName } from '../charges/fields';

@ObjectType({ description: "A transfer of the merchant's balance to its bank account" })
export class Payout extends Movement {
  @Nested('Destination bank account', () => BankAccount)
  bank_account!: BankAccount;
}

@InputType({ description: "A new payout to the merchant's bank account" })
export class CreatePayout {
  @Amount('Amount, at most `available` of the merchant', { min: 1, example: 500000 })
  amount!: Money;
  @Text('Description of the payout', { optional: true, max: 250, example: 'Sales of November' })
  description?: string;
  @Text("The merchant's order ID, unique among its transactions", { optional: true, max: 100, digits: true })
  order_id?: string;
}

@ArgsType()
class PayoutFilters extends Filters {
  @Text("The merchant's order ID", { optional: true, max: 100 })
  order_id?: string;
  @TransactionStatus.field('Status of the payout', { optional: true })
  status?: TransactionStatusName;
  @TransactionStatus.several('Any of these statuses', { optional: true })
  status_in?: TransactionStatusName[];
  @Amount('Exact amount', { optional: true })
  amount?: Money;
  @Amount('Minimum amount', { optional: true })
  amount_gte?: Money;
  @Amount('Maximum amount', { optional: true })
  amount_lte?: Money;
}

@ArgsType()
export class PayoutsArgs extends paged(PayoutFilters) {}

@ArgsType()
export class PayoutsConnectionArgs extends cursorPaged(PayoutFilters) {}

@ObjectType({ description: 'A page of payouts, newest first' })
export class PayoutConnection extends connectionOf(Payout) {}
