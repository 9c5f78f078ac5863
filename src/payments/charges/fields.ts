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
  Values,
} from '../../schema/shapes';
import { CARD_TYPES, CardSummary } from '../cardDetails/fields';
import { type Metadata, StoredMetadata } from '../metadata/metadata';
import { METHOD_NAMES } from '../methods/methods';
import { Cost } from './card/costs';
import { ChargeInvoice } from './invoice';
import { PaymentPlan } from './paymentPlan';
import { PaymentMethod } from './pending/paymentMethod';
import { IncludedTax } from './tax';

const FraudRuleNameScalar = scalar<string>({
  name: 'FraudRuleName',
  description: 'Name of a fraud rule',
  parse: String,
  serialize: String,
  accepts: { type: 'string' },
});

export const TransactionStatus = choice(
  'TransactionStatus',
  'Status of a transaction',
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

@ObjectType({ description: 'Copy of the card at the time of the charge' })
export class ChargedCard extends CardSummary {
  @Text('Card ID; omitted for a card that is not saved', { id: 'card', optional: true })
  id?: string;
  @Text('Card type; null if the acquirer does not report it', { nullable: true, values: CARD_TYPES, example: 'credit' })
  type!: string | null;
  @Text('Issuing bank; null if the acquirer does not report it', { nullable: true, example: 'Bancolombia' })
  bank_name!: string | null;
  @Text('Code of the issuing bank; null if the acquirer does not report it', { nullable: true, example: '007' })
  bank_code!: string | null;
  @Flag('Whether the card can be charged')
  allows_charges!: boolean;
  @Flag('Whether the card can receive payouts')
  allows_payouts!: boolean;
}

@ObjectType({ description: 'The payer, as sent with the charge or as stored in the customer' })
export class Payer {
  @Text('Given names')
  name!: string;
  @Text('Last name', { nullable: true })
  last_name!: string | null;
  @Text('E-mail address')
  email!: string;
  @Text('Phone number', { nullable: true })
  phone_number!: string | null;
  @Text('Reserved; always null', { nullable: true })
  address!: null;
  @Moment('Time of creation of the charge')
  creation_date!: Date;
  @Text("The merchant's ID for the customer", { nullable: true })
  external_id!: string | null;
}

const TransactionMethod = choice('TransactionMethod', 'Payment method', ...METHOD_NAMES, 'customer');
const OperationType = choice('OperationType', 'Direction of the money', 'in', 'out');
const TransactionKind = choice('TransactionKind', 'Transaction type', 'charge', 'refund', 'fee', 'payout');

@ObjectType({ description: 'Fields common to all transactions' })
export class Movement {
  @Text('Transaction ID', { id: 'transaction', example: 't9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Amount('Amount', { example: 100000 })
  amount!: Money;
  @Text('Authorization code of the acquirer; null before authorization', { nullable: true, example: '801585' })
  authorization!: string | null;
  @TransactionMethod.field('Payment method', { example: 'card' })
  method!: string;
  @OperationType.field('`in` for money received, `out` for money paid', { example: 'in' })
  operation_type!: string;
  @TransactionKind.field('Transaction type', { example: 'charge' })
  transaction_type!: string;
  @TransactionStatus.field('Status of the transaction')
  status!: TransactionStatusName;
  @Flag('Whether the acquirer has settled the transaction')
  conciliated!: boolean;
  @Currency.field('Currency, always COP')
  currency!: string;
  @Moment('Time of creation')
  creation_date!: Date;
  @Moment('Time of the last status change')
  operation_date!: Date;
  @Text('Description of the transaction', { nullable: true, example: 'Order 77' })
  description!: string | null;
  @Text('Reason for a failure', { nullable: true })
  error_message!: string | null;
  @Count('Error code of a failure', { optional: true, rules: ERROR_CODE })
  error_code?: number | null;
  @Text("The merchant's order ID", { nullable: true, example: 'order-77' })
  order_id!: string | null;
  @Text('Customer ID; omitted for merchant-level transactions', { id: 'customer', optional: true })
  customer_id?: string | null;
  @Text('The subscription this charge pays for', { id: 'subscription', optional: true })
  subscription_id?: string | null;
}

@ObjectType({ description: 'A charge or a fee, with its refunds' })
export class Transaction extends Movement {
  @Values('Names of the fraud rules that declined the charge', () => FraudRuleNameScalar, {
    optional: true,
    example: ['declines_per_card'],
  })
  fraud_rules?: string[] | null;
  @Text('IVA (value-added tax) as sent by the merchant', { optional: true, example: '19%' })
  iva?: string | null;
  @Nested('IVA included in the amount; null unless `iva` is a rate or pesos', () => IncludedTax, { nullable: true })
  tax!: IncludedTax | null;
  @Nested('Composition of the amount of a period, if it is not the amount of the plan', () => ChargeInvoice, {
    optional: true,
  })
  invoice?: ChargeInvoice | null;
  @Nested('The charged card', () => ChargedCard, { optional: true })
  card?: ChargedCard | null;
  @Nested('The payer of a merchant-level charge', () => Payer, { optional: true, untyped: true })
  customer?: Payer | null;
  @Text('Payment deadline of a voucher or a Bre-B payment, in UTC-06:00', {
    optional: true,
    rules: { format: 'date-time' },
    example: '2026-12-24T17:00:00-06:00',
  })
  due_date?: string | null;
  @Nested('Payment instructions; omitted for charges to a saved card or a token', () => PaymentMethod, {
    optional: true,
  })
  payment_method?: PaymentMethod | null;
  @Nested('Processing cost of a completed charge', () => Cost, { optional: true })
  fee?: Cost | null;
  @Nested('Installment plan of the cardholder, if requested', () => PaymentPlan, { optional: true })
  payment_plan?: PaymentPlan | null;
  @StoredMetadata
  metadata?: Metadata | null;
  @Text('The payment link with which the payer paid', { id: 'payment_link', optional: true })
  payment_link_id?: string | null;
  @Nested('Latest refund', () => Movement, { optional: true })
  refund?: Movement | null;
  @ListOf('All refunds, newest first', () => Movement, { optional: true })
  refunds?: Movement[] | null;
}

@ObjectType({ description: 'A page of transactions' })
export class TransactionConnection extends connectionOf(Transaction) {}
