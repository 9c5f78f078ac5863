/** Filters of charge and fee lists. */
import { ArgsType } from 'type-graphql';
import type { Money } from '../../platform/money';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { Amount, Count, choice, ERROR_CODE, Text } from '../../schema/shapes';
import { type Metadata, MetadataFilter } from '../metadata/metadata';
import { TransactionStatus, type TransactionStatusName } from './fields';

const TransactionType = choice('TransactionType', 'Transaction type', 'charge', 'refund', 'fee');

@ArgsType()
class TransactionFilters extends Filters {
  @TransactionType.field('Return refunds instead of charges or fees', { optional: true })
  transaction_type?: keyof typeof TransactionType.words;
  @Text("The merchant's order ID", { optional: true, max: 100 })
  order_id?: string;
  @Amount('Exact amount', { optional: true, min: 0 })
  amount?: Money;
  @Amount('Minimum amount', { optional: true, min: 0 })
  amount_gte?: Money;
  @Amount('Maximum amount', { optional: true, min: 0 })
  amount_lte?: Money;
  @TransactionStatus.field('Status of the transaction', { optional: true })
  status?: TransactionStatusName;
  @TransactionStatus.several('Any of these statuses', { optional: true })
  status_in?: TransactionStatusName[];
  @Count('Error code of failed charges', { optional: true, rules: ERROR_CODE })
  error_code?: number;
}

@ArgsType()
class ChargeFilters extends TransactionFilters {
  @Text('Customer ID, including deleted customers', { id: 'customer', optional: true, max: 45 })
  customer_id?: string;
  @Text('Subscription ID', { id: 'subscription', optional: true, max: 45 })
  subscription_id?: string;
  @MetadataFilter
  metadata?: Metadata;
}

const TransactionSort = choice(
  'TransactionSort',
  'Sort order of transactions',
  'creation_desc',
  'creation_asc',
  'amount_desc',
  'amount_asc',
);
export type TransactionSortName = keyof typeof TransactionSort.words;
const SORT = 'Sort order (default creation_desc)';

@ArgsType()
export class TransactionsArgs extends paged(TransactionFilters) {}

@ArgsType()
export class TransactionsConnectionArgs extends cursorPaged(TransactionFilters) {
  @TransactionSort.field(SORT, { optional: true })
  sort?: TransactionSortName;
}

@ArgsType()
export class ChargesArgs extends paged(ChargeFilters) {}

@ArgsType()
export class ChargesConnectionArgs extends cursorPaged(ChargeFilters) {
  @TransactionSort.field(SORT, { optional: true })
  sort?: TransactionSortName;
}
