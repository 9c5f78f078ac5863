/** What lists of charges and fees are filtered by. */
import { ArgsType } from 'type-graphql';
import type { Money } from '../../platform/money';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { Amount, Count, choice, ERROR_CODE, Reference, Text } from '../../schema/shapes';
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
  @TransactionStatus.several('Of one of these statuses', { optional: true })
  status_in?: TransactionStatusName[];
  @Count('Declined with this code', { optional: true, rules: ERROR_CODE })
  error_code?: number;
}

@ArgsType()
class ChargeFilters extends TransactionFilters {
  @Reference('Of which customer, also a deleted one; absent: of any', { id: 'customer', optional: true, max: 45 })
  customer_id?: string;
  @Reference('Of which subscription; absent: of any and of none', { id: 'subscription', optional: true, max: 45 })
  subscription_id?: string;
}

const TransactionSort = choice(
  'TransactionSort',
  'What transactions are sorted by, and which way',
  'creation_desc',
  'creation_asc',
  'amount_desc',
  'amount_asc',
);
export type TransactionSortName = keyof typeof TransactionSort.words;
const SORT = 'In which order; absent: creation_desc';

@ArgsType()
export class TransactionsPage extends paged(TransactionFilters) {}

@ArgsType()
export class TransactionsWindow extends cursorPaged(TransactionFilters) {
  @TransactionSort.field(SORT, { optional: true })
  sort?: TransactionSortName;
}

@ArgsType()
export class ChargesPage extends paged(ChargeFilters) {}

@ArgsType()
export class ChargesWindow extends cursorPaged(ChargeFilters) {
  @TransactionSort.field(SORT, { optional: true })
  sort?: TransactionSortName;
}
