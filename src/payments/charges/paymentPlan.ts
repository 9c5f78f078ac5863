import { InputType, ObjectType } from 'type-graphql';
import { MAX_INSTALLMENTS } from '../../accounts/merchants/fields';
import { Count } from '../../schema/shapes';

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
