import { ArgsType, ObjectType } from 'type-graphql';
import { CardSummary } from '../cardDetails/fields';
import type { Money } from '../platform/money';
import { connectionOf, Filters, paged, windowed } from '../schema/list';
import { Amount, Count, choice, Flag, ListOf, Moment, Nested, Text, Value } from '../schema/shapes';
import { MetadataScalar } from './metadata';

export const TransactionStatus = choice(
  'TransactionStatus',
  'How a transaction stands',
  'in_progress',
  'completed',
  'refunded',
  'chargeback_pending',
  'chargeback_accepted',
  'chargeback_adjustment',
  'charge_pending',
  'cancelled',
  'failed',
);
export type TransactionStatusName = keyof typeof TransactionStatus.words;

@ObjectType({ description: 'The card of a charge, as it was then' })
export class ChargedCard extends CardSummary {
  @Text('Identifier, of a saved card', { optional: true })
  id?: string;
  @Text('credit or debit')
  type!: string;
  @Text('Issuing bank')
  bank_name!: string;
  @Text('Code of the issuing bank')
  bank_code!: string;
  @Flag('Whether charges to it are possible')
  allows_charges!: boolean;
  @Flag('Whether money can be paid out to it')
  allows_payouts!: boolean;
}

@ObjectType({ description: 'Who paid, as it was sent with the charge' })
export class Payer {
  @Text('Given name(s)')
  name!: string;
  @Text('Last name', { optional: true })
  last_name!: string | null;
  @Text('E-mail address')
  email!: string;
  @Text('Phone number', { optional: true })
  phone_number!: string | null;
  @Text('Not used', { optional: true })
  address!: null;
  @Moment('When the charge was created')
  creation_date!: Date;
  @Text("The merchant's own identifier", { optional: true })
  external_id!: string | null;
}

@ObjectType({ description: 'What a charge costs the merchant' })
export class Cost {
  @Amount('The cost', { example: 3800 })
  amount!: Money;
  @Amount('Tax on it', { example: 722 })
  tax!: Money;
  @Text('COP')
  currency!: string;
}

@ObjectType({ description: 'What the payer pays with' })
export class PaymentMethod {
  @Text('redirect or store', { example: 'store' })
  type!: string;
  @Text('The page on which the payer pays', { optional: true })
  url?: string;
  @Text('What the payer names in a store, 16 digits', { optional: true, example: '1234567890123452' })
  reference?: string;
  @Text('The same for stores of the paybin network, 20 digits', { optional: true })
  paybin_reference?: string;
  @Text('The reference as a Code 128 image', { optional: true })
  barcode_url?: string;
  @Text('The paybin reference as a Code 128 image', { optional: true })
  barcode_paybin_url?: string;
  @Text('The receipt to print; with .pdf at its end the same as PDF', { optional: true })
  receipt_url?: string;
}

@ObjectType({ description: 'What every transaction shows' })
export class Movement {
  @Text('Unique identifier', { example: 't9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Amount('Amount', { example: 100000 })
  amount!: Money;
  @Text("The acquirer's code; null until it has authorized", { optional: true, example: '801585' })
  authorization!: string | null;
  @Text('card, store, bank_account or customer', { example: 'card' })
  method!: string;
  @Text('in or out', { example: 'in' })
  operation_type!: string;
  @Text('charge, refund or fee', { example: 'charge' })
  transaction_type!: string;
  @TransactionStatus.field('How it stands')
  status!: TransactionStatusName;
  @Flag('Whether the acquirer has settled it')
  conciliated!: boolean;
  @Text('COP')
  currency!: string;
  @Moment('When it was created')
  creation_date!: Date;
  @Moment('When its last outcome came')
  operation_date!: Date;
  @Text('What it is for', { optional: true, example: 'Order 77' })
  description!: string | null;
  @Text('Why it failed', { optional: true })
  error_message!: string | null;
  @Count('The code of that', { optional: true })
  error_code?: number;
  @Text("The merchant's own identifier", { optional: true, example: 'order-77' })
  order_id!: string | null;
  @Text('Whose, at customer level', { optional: true })
  customer_id?: string;
  @Text('Of which subscription it charges a period', { optional: true })
  subscription_id?: string;
}

@ObjectType({ description: 'A charge or a fee, with what was given back of it' })
export class Transaction extends Movement {
  @Text('Informational', { optional: true, example: '19' })
  iva?: string;
  @Nested('The card that was charged', () => ChargedCard, { optional: true })
  card?: ChargedCard;
  @Nested('Who paid, at merchant level', () => Payer, { optional: true })
  customer?: Payer;
  @Text('Until when a store takes it, in central time', { optional: true, example: '2026-12-24T17:00:00-06:00' })
  due_date?: string;
  @Nested('What the payer pays with, where it is not a saved card or a token', () => PaymentMethod, { optional: true })
  payment_method?: PaymentMethod;
  @Nested('What it costs the merchant, once completed', () => Cost, { optional: true })
  fee?: Cost;
  @Value('What the merchant wants to remember', () => MetadataScalar, { optional: true })
  metadata?: Record<string, string>;
  @Nested('The latest refund', () => Movement, { optional: true })
  refund?: Movement;
  @ListOf('All refunds, newest first', () => Movement, { optional: true })
  refunds?: Movement[];
}

@ArgsType()
class TransactionFilters extends Filters {
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
export class TransactionsPage extends paged(TransactionFilters) {}

@ArgsType()
export class TransactionsWindow extends windowed(TransactionFilters) {}

@ObjectType({ description: 'A window on a list of transactions, newest first' })
export class TransactionConnection extends connectionOf(Transaction) {}
