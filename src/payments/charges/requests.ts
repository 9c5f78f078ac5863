import { InputType } from 'type-graphql';
import type { Money } from '../../platform/money';
import { Amount, Currency, choice, Flag, Nested, Text, Value } from '../../schema/shapes';
import { CVV2 } from '../cardDetails/details';
import { CreateCustomer } from '../customers/fields';
import { MetadataScalar } from '../metadata/metadata';
import { type ChargeMethodName, METHOD_NAMES, PAYER_COUNTRIES } from '../methods/methods';
import { ChoosePaymentPlan } from './paymentPlan';
import { MAX_URL_LENGTH } from './pending/redirectUrl';

export const ChargeMethod = choice('ChargeMethod', 'Payment method', ...METHOD_NAMES);

@InputType({ description: 'Fields common to all payment requests' })
export class Payable {
  @Amount('Amount in pesos, greater than zero', { min: 1, example: 100000 })
  amount!: Money;
  @Currency.field('Currency, always COP')
  currency!: 'COP';
  @Text('IVA (value-added tax) included in the amount, as a rate (`19%`) or in pesos (`1900`); informational only', {
    max: 100,
    digits: 'decimals',
    example: '19%',
  })
  iva!: string;
  @Text('Description shown to the payer', { max: 250, example: 'Order 77' })
  description!: string;
  @Text("The merchant's order ID, unique among its transactions", {
    optional: true,
    max: 100,
    digits: true,
    example: 'order-77',
  })
  order_id?: string;
  @Nested(
    'The payer; required for merchant-level payments, not allowed for customer-level payments',
    () => CreateCustomer,
    { optional: true },
  )
  customer?: CreateCustomer;
  @Value('Key-value pairs to store with the payment', () => MetadataScalar, { optional: true })
  metadata?: Record<string, string>;
  @Text('URL to which the payer returns; the query parameter id is set to the transaction ID', {
    optional: true,
    rules: { format: 'uri', maxLength: MAX_URL_LENGTH },
    example: 'https://shop.example/thanks',
  })
  redirect_url?: string;
}

@InputType({ description: 'A new charge' })
export class CreateCharge extends Payable {
  @ChargeMethod.field('Payment method')
  method!: ChargeMethodName;
  @Text('Card ID or token ID', { id: 'card', optional: true, max: 45, example: 'k9s8d7f6g5h4j3k2l1q0' })
  source_id?: string;
  @Text('Device session of the payer', { optional: true, max: 255, example: 'kR1MiQhz2otdIuUlQkbEyitIqVMiI16f' })
  device_session_id?: string;
  @Text('Security code (CVV2), used by this charge only', { optional: true, max: 20, digits: true, rules: CVV2 })
  cvv2?: string;
  @Flag('Whether to capture the charge immediately (default true); false only reserves the amount', { optional: true })
  capture?: boolean;
  @Flag('Set to false to let the payer pay by card on the payment page', { optional: true })
  confirm?: boolean;
  @Flag('Whether to e-mail the URL of the payment page to the payer', { optional: true })
  send_email?: boolean;
  @Text('Payment deadline of a voucher or a Bre-B payment, ISO 8601 (default three days)', {
    optional: true,
    rules: { format: 'date-time' },
    example: '2026-12-24T18:00:00-05:00',
  })
  due_date?: string;
  @Nested('Installment plan of the cardholder; cards only', () => ChoosePaymentPlan, { optional: true })
  payment_plan?: ChoosePaymentPlan;
  @Flag('Whether to authenticate the cardholder with 3-D Secure; not available, so true is refused', {
    optional: true,
    rules: { enum: [false] },
  })
  use_3d_secure?: boolean;
  @Text('Country of a bank account payment, always COL', { optional: true, values: PAYER_COUNTRIES })
  country?: string;
}

@InputType({ description: 'Capture of a reserved amount' })
export class CaptureCharge {
  @Amount('Amount to capture, at most the reserved amount; omit to capture all of it', { optional: true, min: 1 })
  amount?: Money;
}

@InputType({ description: 'A new refund' })
export class CreateRefund {
  @Text('Reason for the refund', { optional: true, max: 250 })
  description?: string;
  @Amount('Amount to refund, at most the remaining amount; omit to refund all of it', { optional: true, min: 1 })
  amount?: Money;
}
