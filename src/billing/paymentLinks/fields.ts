import { GraphQLInt } from 'graphql';
import { ArgsType, ObjectType } from 'type-graphql';
import { ChargeMethod } from '../../payments/charges/requests';
import type { ChargeMethodName } from '../../payments/methods/methods';
import type { Money } from '../../platform/money';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { Amount, Count, Currency, choice, Flag, Moment, Nested, Text, Values } from '../../schema/shapes';

export const PaymentLinkKind = choice('PaymentLinkKind', 'Use of a payment link', 'payment', 'card', 'subscription');
export type PaymentLinkKindName = keyof typeof PaymentLinkKind.words;

const PaymentLinkStatus = choice(
  'PaymentLinkStatus',
  'Status of a payment link',
  'active',
  'completed',
  'cancelled',
  'expired',
);
export type PaymentLinkStatusName = keyof typeof PaymentLinkStatus.words;

export const KIND = '`payment` makes one payment, `card` saves a card, `subscription` subscribes to a plan';
export const REDIRECT_URL =
  'URL to which the payer returns; the query parameter id is set to the ID of the transaction, card or subscription';

export const REUSABLE = 'Whether several payers can use the link, each for a payment or subscription of their own';
export const MAX_PAYMENTS = 'Payments or subscriptions after which a reusable link is completed; no limit if omitted';
export const MIN_AMOUNT = 'Minimum amount, in whole pesos, that the payer can enter';
export const MAX_AMOUNT = 'Largest amount in whole pesos that the payer can enter';
export const ACCEPTS_COUPONS = 'Whether the payer can enter the code of a coupon';
export const UNITS = 'Number of units, which multiplies the amount of the plan';
export const SUGGESTED_AMOUNTS = 'Amounts in whole pesos that the payer can choose from, beside entering one';

@ObjectType({ description: 'Numbers of payers of a payment link at each step' })
export class PaymentLinkFunnel {
  @Count('Payers who have sent the form', { example: 12 })
  started!: number;
  @Count('Payers who have completed the link', { example: 9 })
  paid!: number;
}

@ObjectType({ description: 'A link to a hosted page, on which payers pay, save a card or subscribe' })
export class PaymentLink {
  @Text('Payment link ID', { id: 'payment_link', example: 'u9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Moment('Time of creation')
  creation_date!: Date;
  @PaymentLinkKind.field(KIND, { example: 'payment' })
  kind!: PaymentLinkKindName;
  @PaymentLinkStatus.field('Status of the link', { example: 'active' })
  status!: PaymentLinkStatusName;
  @Text('URL of the page for the payer', { rules: { format: 'uri' } })
  url!: string;
  @Moment('Time after which the link cannot be used')
  expires_at!: Date;
  @ChargeMethod.several('Payment methods that the payer can choose from')
  methods!: ChargeMethodName[];
  @Currency.field('Currency, always COP')
  currency!: string;
  @Amount('Amount of the payment; omitted if the payer enters it', { optional: true, example: 100000 })
  amount?: Money | null;
  @Amount(MIN_AMOUNT, { optional: true, example: 5000 })
  min_amount?: Money | null;
  @Amount(MAX_AMOUNT, { optional: true, example: 500000 })
  max_amount?: Money | null;
  @Values(SUGGESTED_AMOUNTS, () => GraphQLInt, { optional: true, example: [20000, 50000] })
  suggested_amounts?: number[] | null;
  @Flag(REUSABLE, { example: false })
  reusable!: boolean;
  @Count(MAX_PAYMENTS, { optional: true, example: 100 })
  max_payments?: number | null;
  @Nested('Numbers of payers at each step', () => PaymentLinkFunnel)
  funnel!: PaymentLinkFunnel;
  @Text('URL of the QR code of the link as SVG, for print and screens; replace `.svg` with `.png` for a PNG image', {
    rules: { format: 'uri' },
  })
  qr_code_url!: string;
  @Text('The link that the merchant created, if this is the link of one payer', {
    id: 'payment_link',
    optional: true,
  })
  parent_id?: string | null;
  @Text('IVA (value-added tax); informational only', { optional: true, example: '19%' })
  iva?: string | null;
  @Text('Description shown to the payer', { optional: true, example: 'Order 77' })
  description?: string | null;
  @Text("The merchant's order ID for the payment", { optional: true, example: 'order-77' })
  order_id?: string | null;
  @Text('Customer ID; omitted for merchant-level payments', { id: 'customer', optional: true })
  customer_id?: string | null;
  @Text('Plan ID of a subscription', { id: 'plan', optional: true })
  plan_id?: string | null;
  @Count(UNITS, { optional: true, example: 1 })
  quantity?: number | null;
  @Text('Code or ID of the coupon of the subscription', { optional: true, example: 'LAUNCH20' })
  coupon?: string | null;
  @Flag(ACCEPTS_COUPONS, { example: false })
  accepts_coupons!: boolean;
  @Text('The consent to recurring charges, as the payer read it', { optional: true })
  consent_text?: string | null;
  @Moment('Time of the consent', { optional: true })
  consent_date?: Date | null;
  @Text(REDIRECT_URL, { optional: true })
  redirect_url?: string | null;
  @Text('Recipient of the latest e-mail with the link', { optional: true, example: 'maria@example.com' })
  email?: string | null;
  @Text('ID of the payment, once the payer has chosen a method', { id: 'transaction', optional: true })
  transaction_id?: string | null;
  @Text('ID of the saved card', { id: 'card', optional: true })
  card_id?: string | null;
  @Text('ID of the subscription', { id: 'subscription', optional: true })
  subscription_id?: string | null;
}

@ArgsType()
class PaymentLinkFilters extends Filters {
  @PaymentLinkStatus.several('Any of these statuses', { optional: true })
  status?: PaymentLinkStatusName[];
  @PaymentLinkKind.field('Use of the links', { optional: true })
  kind?: PaymentLinkKindName;
  @Text('Customer ID', { id: 'customer', optional: true, max: 45 })
  customer_id?: string;
  @Text('Lists the links of the payers who use this link', { id: 'payment_link', optional: true, max: 45 })
  parent_id?: string;
}

@ArgsType()
export class PaymentLinksArgs extends paged(PaymentLinkFilters) {}

@ArgsType()
export class PaymentLinksConnectionArgs extends cursorPaged(PaymentLinkFilters) {}

@ObjectType({ description: 'A page of payment links, newest first' })
export class PaymentLinkConnection extends connectionOf(PaymentLink) {}
