import { ObjectType } from 'type-graphql';
import type { Money } from '../../platform/money';
import { connectionOf } from '../../schema/connections/connection';
import { scalar } from '../../schema/scalars';
import {
  Amount,
  Count,
  Currency,
  choice,
  ERROR_CODE,
  Flag,
  ListOf,
  Moment,
  Nested,
  Text,
  Value,
  Values,
} from '../../schema/shapes';
import { CARD_TYPES, CardSummary } from '../cardDetails/fields';
import { MetadataScalar } from './metadata';
import { PaymentPlan } from './paymentPlan';

const URI = { format: 'uri' };

const FraudRuleNameScalar = scalar<string>({
  name: 'FraudRuleName',
  description: 'The name of a fraud rule',
  parse: String,
  serialize: String,
  accepts: { type: 'string' },
});

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
  @Text('Identifier, of a saved card', { id: 'card', optional: true })
  id?: string;
  @Text('credit or debit; null where it is not known', { nullable: true, values: CARD_TYPES, example: 'credit' })
  type!: string | null;
  @Text('Issuing bank; null where the acquirer does not say', { nullable: true, example: 'Bancolombia' })
  bank_name!: string | null;
  @Text('Code of the issuing bank; null where the acquirer does not say', { nullable: true, example: '007' })
  bank_code!: string | null;
  @Flag('Whether charges to it are possible')
  allows_charges!: boolean;
  @Flag('Whether money can be paid out to it')
  allows_payouts!: boolean;
}

@ObjectType({ description: 'Who paid, as it was sent with the charge, or as the customer is now' })
export class Payer {
  @Text('Given name(s)')
  name!: string;
  @Text('Last name', { nullable: true })
  last_name!: string | null;
  @Text('E-mail address')
  email!: string;
  @Text('Phone number', { nullable: true })
  phone_number!: string | null;
  @Text('Not used', { nullable: true })
  address!: null;
  @Moment('When the charge was created')
  creation_date!: Date;
  @Text("The merchant's own identifier", { nullable: true })
  external_id!: string | null;
}

const PaymentMethodType = choice('PaymentMethodType', 'Where the payer pays', 'redirect', 'store');
const TransactionMethod = choice('TransactionMethod', 'How money moves', 'card', 'store', 'bank_account', 'customer');
const OperationType = choice('OperationType', 'Whether money comes in or goes out', 'in', 'out');
const TransactionKind = choice('TransactionKind', 'What a transaction is', 'charge', 'refund', 'fee', 'payout');

@ObjectType({ description: 'What a charge costs the merchant' })
export class Cost {
  @Amount('The cost', { example: 3800 })
  amount!: Money;
  @Amount('Tax on it', { example: 722 })
  tax!: Money;
  @Currency.field('COP')
  currency!: string;
}

@ObjectType({ description: 'What the payer pays with' })
export class PaymentMethod {
  @PaymentMethodType.field('redirect or store', { example: 'store' })
  type!: string;
  @Text('The page on which the payer pays', { optional: true, rules: URI })
  url?: string;
  @Text('What the payer names in a store, 16 digits', {
    optional: true,
    rules: { pattern: '^[0-9]{16}$' },
    example: '1234567890123452',
  })
  reference?: string;
  @Text('The same for stores of the paybin network, 20 digits', { optional: true, rules: { pattern: '^[0-9]{20}$' } })
  paybin_reference?: string;
  @Text('The reference as a Code 128 image', { optional: true, rules: URI })
  barcode_url?: string;
  @Text('The paybin reference as a Code 128 image', { optional: true, rules: URI })
  barcode_paybin_url?: string;
  @Text('The receipt to print; with .pdf at its end the same as PDF', { optional: true, rules: URI })
  receipt_url?: string;
}

@ObjectType({ description: 'What every transaction shows' })
export class Movement {
  @Text('Unique identifier', { id: 'transaction', example: 't9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Amount('Amount', { example: 100000 })
  amount!: Money;
  @Text("The acquirer's code; null until it has authorized", { nullable: true, example: '801585' })
  authorization!: string | null;
  @TransactionMethod.field('card, store, bank_account or customer', { example: 'card' })
  method!: string;
  @OperationType.field('in or out', { example: 'in' })
  operation_type!: string;
  @TransactionKind.field('charge, refund, fee or payout', { example: 'charge' })
  transaction_type!: string;
  @TransactionStatus.field('How it stands')
  status!: TransactionStatusName;
  @Flag('Whether the acquirer has settled it')
  conciliated!: boolean;
  @Currency.field('COP')
  currency!: string;
  @Moment('When it was created')
  creation_date!: Date;
  @Moment('When its last outcome came')
  operation_date!: Date;
  @Text('What it is for', { nullable: true, example: 'Order 77' })
  description!: string | null;
  @Text('Why it failed', { nullable: true })
  error_message!: string | null;
  @Count('The code of that', { optional: true, rules: ERROR_CODE })
  error_code?: number | null;
  @Text("The merchant's own identifier", { nullable: true, example: 'order-77' })
  order_id!: string | null;
  @Text('Whose, at customer level', { id: 'customer', optional: true })
  customer_id?: string | null;
  @Text('Of which subscription it charges a period', { id: 'subscription', optional: true })
  subscription_id?: string | null;
}

@ObjectType({ description: 'A charge or a fee, with what was given back of it' })
export class Transaction extends Movement {
  @Values('Names of the fraud rules that refused it', () => FraudRuleNameScalar, {
    optional: true,
    example: ['declines_per_card'],
  })
  fraud_rules?: string[] | null;
  @Text('Informational', { optional: true, example: '19' })
  iva?: string | null;
  @Nested('The card that was charged', () => ChargedCard, { optional: true })
  card?: ChargedCard | null;
  @Nested('Who paid; in REST and in events at merchant level only', () => Payer, { optional: true })
  customer?: Payer | null;
  @Text('Until when a store takes it, in central time', {
    optional: true,
    rules: { format: 'date-time' },
    example: '2026-12-24T17:00:00-06:00',
  })
  due_date?: string | null;
  @Nested('What the payer pays with, where it is not a saved card or a token', () => PaymentMethod, { optional: true })
  payment_method?: PaymentMethod | null;
  @Nested('What it costs the merchant, once completed', () => Cost, { optional: true })
  fee?: Cost | null;
  @Nested('How the cardholder pays it back to the bank, where that was said', () => PaymentPlan, { optional: true })
  payment_plan?: PaymentPlan | null;
  @Value('What the merchant wants to remember', () => MetadataScalar, { optional: true })
  metadata?: Record<string, string> | null;
  @Nested('The latest refund', () => Movement, { optional: true })
  refund?: Movement | null;
  @ListOf('All refunds, newest first', () => Movement, { optional: true })
  refunds?: Movement[] | null;
}

@ObjectType({ description: 'A window on a list of transactions' })
export class TransactionConnection extends connectionOf(Transaction) {}
