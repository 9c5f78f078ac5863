import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { CreateCustomer } from '../customers/fields';
import type { Money } from '../money';
import { PrintedCard } from '../printed/fields';
import { connectionOf, Filters, paged, windowed } from '../schema/list';
import { Amount, Count, Currency, choice, Flag, ListOf, Moment, Nested, Text, Value } from '../schema/shapes';
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
export type Status = keyof typeof TransactionStatus.words;

const ChargeMethod = choice('ChargeMethod', 'How a charge is paid', 'card', 'store', 'bank_account');

@ObjectType({ description: 'The card of a charge, as it was then' })
export class ChargedCard extends PrintedCard {
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
  status!: Status;
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
  @Nested('What it costs the merchant, once completed', () => Cost, { optional: true })
  fee?: Cost;
  @Value('What the merchant wants to remember', () => MetadataScalar, { optional: true })
  metadata?: Record<string, string>;
  @Nested('The latest refund', () => Movement, { optional: true })
  refund?: Movement;
  @ListOf('All refunds, newest first', () => Movement, { optional: true })
  refunds?: Movement[];
}

@InputType({ description: 'What is charged' })
export class CreateCharge {
  @ChargeMethod.field('How it is paid')
  method!: 'card' | 'store' | 'bank_account';
  @Amount('Amount, greater than zero', { min: 1, example: 100000 })
  amount!: Money;
  @Currency.field('COP')
  currency!: 'COP';
  @Text('Informational', { max: 100, digits: 'decimals', example: '19' })
  iva!: string;
  @Text('What it is for', { max: 250, example: 'Order 77' })
  description!: string;
  @Text("The merchant's own identifier, unique among its transactions", {
    optional: true,
    max: 100,
    digits: true,
    example: 'order-77',
  })
  order_id?: string;
  @Nested('Who pays; required at merchant level, refused at customer level', () => CreateCustomer, { optional: true })
  customer?: CreateCustomer;
  @Text('A saved card or a token', { optional: true, max: 45 })
  source_id?: string;
  @Text('Identifies the device of the payer', { optional: true, max: 255 })
  device_session_id?: string;
  @Text('Security code, for this charge only', { optional: true, max: 20, digits: true })
  cvv2?: string;
  @Flag('Whether it is taken at once, or only reserved until it is captured', { optional: true })
  capture?: boolean;
  @Value('What the merchant wants to remember', () => MetadataScalar, { optional: true })
  metadata?: Record<string, string>;
}

@InputType({ description: 'What is captured of a reserved charge' })
export class CaptureCharge {
  @Amount('At most what was reserved; absent: all of it', { optional: true, min: 1 })
  amount?: Money;
}

@InputType({ description: 'What is given back' })
export class CreateRefund {
  @Text('Why', { optional: true, max: 250 })
  description?: string;
  @Amount('At most what is left; absent: all of it', { optional: true, min: 1 })
  amount?: Money;
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
  status?: Status;
}

@ArgsType()
export class TransactionsPage extends paged(TransactionFilters) {}

@ArgsType()
export class TransactionsWindow extends windowed(TransactionFilters) {}

@ObjectType({ description: 'A window on a list of transactions, newest first' })
export class TransactionConnection extends connectionOf(Transaction) {}
