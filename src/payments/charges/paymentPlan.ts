import { InputType, ObjectType } from 'type-graphql';
import { Count } from '../../schema/shapes';

const MAX_INSTALLMENTS = 36;

@ObjectType({ description: 'Installment plan (cuotas) of the cardholder' })
export class PaymentPlan {
  @Count('Number of monthly installments', { min: 1, max: MAX_INSTALLMENTS, example: 12 })
  payments!: number;
}

@InputType({ description: 'Installment plan (cuotas) of the cardholder' })
export class ChoosePaymentPlan {
  @Count('Number of monthly installments', { min: 1, max: MAX_INSTALLMENTS, example: 12 })
  payments!: number;
}
