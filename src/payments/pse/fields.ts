import { InputType, ObjectType } from 'type-graphql';
import { Text } from '../../schema/shapes';
import { Payable } from '../charges/requests';
import { PAYER_COUNTRIES } from '../methods/methods';

@InputType({
  description:
    'A new PSE payment. The amount must be a whole number of pesos; merchant-level payments need a customer with an address and without a balance account',
})
export class CreatePse extends Payable {
  @Text('Country, always COL', { values: PAYER_COUNTRIES, example: 'COL' })
  country!: string;
}

@ObjectType({ description: 'A created PSE payment' })
export class PsePayment {
  @Text('order_id of the request; the transaction ID if it was omitted', { example: 'order-77' })
  orderId!: string;
  @Text('URL at which the payer continues', { rules: { format: 'uri' } })
  redirect_url!: string;
}
