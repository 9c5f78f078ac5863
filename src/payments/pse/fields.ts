import { InputType, ObjectType } from 'type-graphql';
import { Text } from '../../schema/shapes';
import { PSE_COUNTRIES } from '../charges/pending/pseRules';
import { Payable } from '../charges/requests';

@InputType({
  description:
    'A payment by bank account, of a whole amount; at merchant level by a customer without an account and with an address',
})
export class CreatePse extends Payable {
  @Text('COL', { values: PSE_COUNTRIES, example: 'COL' })
  country!: string;
}

@ObjectType({ description: 'Where a payment by bank account goes on' })
export class PsePayment {
  @Text('The order_id of the request, or the identifier of the transaction', { example: 'order-77' })
  orderId!: string;
  @Text('Where the payer goes on', { rules: { format: 'uri' } })
  redirect_url!: string;
}
