import { GraphQLInt } from 'graphql';
import { InputType } from 'type-graphql';
import { MAX_URL_LENGTH } from '../../payments/charges/pending/redirectUrl';
import { ChargeMethod } from '../../payments/charges/requests';
import type { ChargeMethodName } from '../../payments/methods/methods';
import type { Money } from '../../platform/money';
import { Amount, Count, Currency, Flag, Text, Values } from '../../schema/shapes';
import { QUANTITY } from '../subscriptions/pricing/fields';
import {
  ACCEPTS_COUPONS,
  KIND,
  MAX_AMOUNT,
  MAX_PAYMENTS,
  MIN_AMOUNT,
  PaymentLinkKind,
  type PaymentLinkKindName,
  REDIRECT_URL,
  REUSABLE,
  SUGGESTED_AMOUNTS,
  UNITS,
} from './fields';

export const MAX_LINK_DAYS = 180;
export const DEFAULT_LINK_DAYS = 30;
const MAX_LINK_PAYMENTS = 1_000_000;
const MAX_SUGGESTED_AMOUNTS = 6;

@InputType({ description: 'A new payment link' })
export class CreatePaymentLink {
  @PaymentLinkKind.field(KIND, { example: 'payment' })
  kind!: PaymentLinkKindName;
  @Text('Customer ID; required for the kind card. Without it, the payer of a subscription becomes a customer', {
    id: 'customer',
    optional: true,
    max: 45,
  })
  customer_id?: string;
  @Text('Plan ID; required for the kind subscription', { id: 'plan', optional: true, max: 45 })
  plan_id?: string;
  @Count(`${UNITS} (default 1)`, { optional: true, ...QUANTITY })
  quantity?: number;
  @Text('Code or ID of the coupon of the subscription', { optional: true, max: 50, example: 'LAUNCH20' })
  coupon?: string;
  @Flag(`${ACCEPTS_COUPONS} (default false)`, { optional: true })
  accepts_coupons?: boolean;
  @Amount('Amount in pesos, greater than zero; required for the kind payment without `min_amount` and `max_amount`', {
    optional: true,
    min: 1,
    example: 100000,
  })
  amount?: Money;
  @Amount(`${MIN_AMOUNT}; with \`max_amount\`, in place of \`amount\``, { optional: true, min: 1 })
  min_amount?: Money;
  @Amount(`${MAX_AMOUNT}; with \`min_amount\`, in place of \`amount\``, { optional: true, min: 1 })
  max_amount?: Money;
  @Values(SUGGESTED_AMOUNTS, () => GraphQLInt, { optional: true, max: MAX_SUGGESTED_AMOUNTS })
  suggested_amounts?: number[];
  @Flag(`${REUSABLE} (default false)`, { optional: true })
  reusable?: boolean;
  @Count(MAX_PAYMENTS, { optional: true, min: 1, max: MAX_LINK_PAYMENTS })
  max_payments?: number;
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

const PLAN_FIELDS = ['plan_id', 'quantity', 'coupon', 'accepts_coupons'] as const;
const AMOUNT_FIELDS = ['amount', 'min_amount', 'max_amount', 'suggested_amounts', 'iva', 'order_id'] as const;

/** A payment also requires `amount`, or `min_amount` and `max_amount`. */
export const KIND_FIELDS: Record<PaymentLinkKindName, KindFields> = {
  payment: { required: ['description'], forbidden: PLAN_FIELDS },
  card: { required: ['customer_id'], forbidden: [...PLAN_FIELDS, 'reusable', 'max_payments', ...AMOUNT_FIELDS] },
  subscription: { required: ['plan_id'], forbidden: AMOUNT_FIELDS },
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
