import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { MAX_URL_LENGTH } from '../../payments/charges/pending/redirectUrl';
import { ChargeMethod } from '../../payments/charges/requests';
import type { ChargeMethodName } from '../../payments/methods/methods';
import type { Money } from '../../platform/money';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { Amount, Currency, choice, Moment, Text } from '../../schema/shapes';

export const MAX_LINK_DAYS = 180;
export const DEFAULT_LINK_DAYS = 30;

const PaymentLinkKind = choice('PaymentLinkKind', 'Use of a payment link', 'payment', 'card', 'subscription');
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

const KIND = '`payment` makes one payment, `card` saves a card, `subscription` subscribes to a plan';
const REDIRECT_URL =
  'URL to which the payer returns; the query parameter id is set to the ID of the transaction, card or subscription';

@ObjectType({ description: 'A single-use link to a hosted page, on which a payer pays, saves a card or subscribes' })
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
  @Amount('Amount of the payment', { optional: true, example: 100000 })
  amount?: Money | null;
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

@InputType({ description: 'A new payment link' })
export class CreatePaymentLink {
  @PaymentLinkKind.field(KIND, { example: 'payment' })
  kind!: PaymentLinkKindName;
  @Text('Customer ID; required for the kinds card and subscription', { id: 'customer', optional: true, max: 45 })
  customer_id?: string;
  @Text('Plan ID; required for the kind subscription', { id: 'plan', optional: true, max: 45 })
  plan_id?: string;
  @Amount('Amount in pesos, greater than zero; required for the kind payment', {
    optional: true,
    min: 1,
    example: 100000,
  })
  amount?: Money;
  @Currency.field('Currency, always COP', { optional: true })
  currency?: 'COP';
  @Text('IVA (value-added tax); informational only', { optional: true, max: 100, digits: 'decimals', example: '19%' })
  iva?: string;
  @Text('Description shown to the payer; required for the kind payment', {
    optional: true,
    max: 250,
    example: 'Order 77',
  })
  description?: string;
  @Text("The merchant's order ID for the payment, unique among its transactions", {
    optional: true,
    max: 100,
    digits: true,
    example: 'order-77',
  })
  order_id?: string;
  @ChargeMethod.several(
    'Payment methods that the payer can choose from (default card, the only one without a payment)',
    {
      optional: true,
      example: ['card', 'bank_account'],
    },
  )
  methods?: ChargeMethodName[];
  @Text(`${REDIRECT_URL}. Without it, the payer stays on the receipt`, {
    optional: true,
    rules: { format: 'uri', maxLength: MAX_URL_LENGTH },
    example: 'https://shop.example/thanks',
  })
  redirect_url?: string;
  @Text(
    `Time after which the link cannot be used, ISO 8601 (default ${DEFAULT_LINK_DAYS} days, at most ${MAX_LINK_DAYS})`,
    {
      optional: true,
      rules: { format: 'date-time' },
      example: '2026-12-24T18:00:00-05:00',
    },
  )
  expires_at?: string;
}

interface KindFields {
  required: readonly (keyof CreatePaymentLink)[];
  forbidden: readonly (keyof CreatePaymentLink)[];
}

export const KIND_FIELDS: Record<PaymentLinkKindName, KindFields> = {
  payment: { required: ['amount', 'description'], forbidden: ['plan_id'] },
  card: { required: ['customer_id'], forbidden: ['plan_id', 'amount', 'iva', 'order_id'] },
  subscription: { required: ['customer_id', 'plan_id'], forbidden: ['amount', 'iva', 'order_id'] },
};

@InputType({ description: 'An e-mail with a payment link' })
export class SendPaymentLink {
  @Text('Recipient (default: the customer); required for merchant-level links', {
    optional: true,
    max: 100,
    form: 'email',
    example: 'maria@example.com',
  })
  email?: string;
}

@ArgsType()
class PaymentLinkFilters extends Filters {
  @PaymentLinkStatus.several('Any of these statuses', { optional: true })
  status?: PaymentLinkStatusName[];
  @PaymentLinkKind.field('Use of the links', { optional: true })
  kind?: PaymentLinkKindName;
  @Text('Customer ID', { id: 'customer', optional: true, max: 45 })
  customer_id?: string;
}

@ArgsType()
export class PaymentLinksArgs extends paged(PaymentLinkFilters) {}

@ArgsType()
export class PaymentLinksConnectionArgs extends cursorPaged(PaymentLinkFilters) {}

@ObjectType({ description: 'A page of payment links, newest first' })
export class PaymentLinkConnection extends connectionOf(PaymentLink) {}
