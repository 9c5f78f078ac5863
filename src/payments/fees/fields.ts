import { InputType } from 'type-graphql';
import type { Money } from '../../platform/money';
import { Amount, Text } from '../../schema/shapes';

@InputType({ description: "A new fee, charged to a customer's balance" })
export class CreateFee {
  @Text('Customer ID', { id: 'customer', max: 45, example: 'a9s8d7f6g5h4j3k2l1q0' })
  customer_id!: string;
  @Amount('Amount, greater than zero', { min: 1, example: 5000 })
  amount!: Money;
  @Text('Description of the fee', { max: 250, example: 'Membership' })
  description!: string;
  @Text("The merchant's order ID, unique among its transactions", { optional: true, max: 100, digits: true })
  order_id?: string;
}
