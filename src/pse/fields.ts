import { InputType, ObjectType } from 'type-graphql';
import { MetadataScalar } from '../charges/metadata';
import { CreateCustomer } from '../customers/fields';
import type { Money } from '../money';
import { Amount, Currency, Nested, Text, Value } from '../schema/shapes';

@InputType({ description: 'A payment by bank account' })
export class CreatePse {
  @Text('COL', { example: 'COL' })
  country!: string;
  @Amount('Amount, a whole number greater than zero', { min: 1, example: 100000 })
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
  @Nested('Who pays, without an account and with an address; required at merchant level', () => CreateCustomer, {
    optional: true,
  })
  customer?: CreateCustomer;
  @Text('Where the payer is sent afterwards, with ?id= and the transaction', {
    optional: true,
    example: 'https://shop.example/thanks',
  })
  redirect_url?: string;
  @Value('What the merchant wants to remember', () => MetadataScalar, { optional: true })
  metadata?: Record<string, string>;
}

@ObjectType({ description: 'Where a payment by bank account goes on' })
export class PsePayment {
  @Text('The order_id of the request, or the identifier of the transaction', { example: 'order-77' })
  orderId!: string;
  @Text('Where the payer goes on')
  redirect_url!: string;
}
