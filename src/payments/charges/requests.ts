import { InputType } from 'type-graphql';
import type { Money } from '../../platform/money';
import { Amount, Currency, choice, Flag, Nested, Text, Value } from '../../schema/shapes';
import { CVV2 } from '../cardDetails/details';
import { CreateCustomer } from '../customers/fields';
import { MetadataScalar } from './metadata';
import { ChoosePaymentPlan } from './paymentPlan';
import { PSE_COUNTRIES } from './pending/pseRules';
import { MAX_URL_LENGTH } from './pending/redirectUrl';

const ChargeMethod = choice('ChargeMethod', 'How a charge is paid', 'card', 'store', 'bank_account');

@InputType({ description: 'What every payment says, however it is paid' })
export class Payable {
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
  @Value('What the merchant wants to remember', () => MetadataScalar, { optional: true })
  metadata?: Record<string, string>;
  @Text('Where the payer is sent afterwards, with ?id= and the transaction', {
    optional: true,
    rules: { format: 'uri', maxLength: MAX_URL_LENGTH },
    example: 'https://shop.example/thanks',
  })
  redirect_url?: string;
}

@InputType({ description: 'What is charged, in one of its forms' })
export class CreateCharge extends Payable {
  @ChargeMethod.field('How it is paid')
  method!: 'card' | 'store' | 'bank_account';
  @Text('A saved card or a token', { id: 'card', optional: true, max: 45, example: 'k9s8d7f6g5h4j3k2l1q0' })
  source_id?: string;
  @Text('Identifies the device of the payer', { optional: true, max: 255, example: 'kR1MiQhz2otdIuUlQkbEyitIqVMiI16f' })
  device_session_id?: string;
  @Text('Security code, for this charge only', { optional: true, max: 20, digits: true, rules: CVV2 })
  cvv2?: string;
  @Flag('Whether it is taken at once, or only reserved until it is captured', { optional: true })
  capture?: boolean;
  @Flag('false: the payer pays on a page of this service, with any card', { optional: true })
  confirm?: boolean;
  @Flag('Whether the payer is sent the address of that page by e-mail', { optional: true })
  send_email?: boolean;
  @Text('Until when a store takes it, ISO 8601; three days unless told otherwise', {
    optional: true,
    rules: { format: 'date-time' },
    example: '2026-12-24T18:00:00-05:00',
  })
  due_date?: string;
  @Nested('How the cardholder pays it back to the bank; for cards only', () => ChoosePaymentPlan, { optional: true })
  payment_plan?: ChoosePaymentPlan;
  @Text('COL, for payments by bank account', { optional: true, values: PSE_COUNTRIES })
  country?: string;
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
