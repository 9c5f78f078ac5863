import { InputType, ObjectType } from 'type-graphql';
import { Count } from '../../schema/shapes';

const MAX_INSTALLMENTS = 36;

@ObjectType({ description: 'How the cardholder pays a charge back to the bank' })
export class PaymentPlan {
  @Count('In how many monthly payments', { min: 1, max: MAX_INSTALLMENTS, example: 12 })
  payments!: number;
}

@InputType({ description: 'How the cardholder pays a charge back to the bank' })
export class ChoosePaymentPlan {
  @Count('In how many monthly payments', { min: 1, max: MAX_INSTALLMENTS, example: 12 })
  payments!: number;
}
