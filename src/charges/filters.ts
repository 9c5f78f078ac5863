/** What lists of charges and fees are filtered by. */
import { ArgsType } from 'type-graphql';
import type { Money } from '../platform/money';
import { cursorPaged, Filters, paged } from '../schema/list';
import { Amount, choice, Reference, Text } from '../schema/shapes';
import { TransactionStatus, type TransactionStatusName } from './fields';

const TransactionType = choice('TransactionType', 'What a transaction is', 'charge', 'refund', 'fee');

@ArgsType()
class TransactionFilters extends Filters {
  @TransactionType.field('Refunds instead of what they give back', { optional: true })
  transaction_type?: keyof typeof TransactionType.words;
  @Text("The merchant's own identifier", { optional: true, max: 100 })
  order_id?: string;
  @Amount('Of this amount', { optional: true })
  amount?: Money;
  @Amount('Of this amount or more', { optional: true })
  amount_gte?: Money;
  @Amount('Of this amount or less', { optional: true })
  amount_lte?: Money;
  @TransactionStatus.field('Of this status', { optional: true })
  status?: TransactionStatusName;
}

@ArgsType()
class ChargeFilters extends TransactionFilters {
  @Reference('Of which customer, also a deleted one; absent: of any', { id: 'customer', optional: true, max: 45 })
  customer_id?: string;
  @Reference('Of which subscription; absent: of any and of none', { id: 'subscription', optional: true, max: 45 })
  subscription_id?: string;
}

@ArgsType()
export class TransactionsPage extends paged(TransactionFilters) {}

@ArgsType()
export class TransactionsWindow extends cursorPaged(TransactionFilters) {}

@ArgsType()
export class ChargesPage extends paged(ChargeFilters) {}

@ArgsType()
export class ChargesWindow extends cursorPaged(ChargeFilters) {}
