import { ObjectType } from 'type-graphql';
import type { Money } from '../platform/money';
import { Amount, choice, Moment, Text } from '../schema/shapes';

export const MerchantStatus = choice('MerchantStatus', 'A suspended merchant moves no money', 'active', 'suspended');

@ObjectType({ description: 'The merchant whose key it is' })
export class Merchant {
  @Text('Unique identifier', { id: 'merchant', example: 'm6d2lq01eb5xvyaspxnc' })
  id!: string;
  @Text('Name', { example: 'Tienda' })
  name!: string;
  @Text('E-mail address', { example: 'tienda@example.com' })
  email!: string;
  @Text('Phone number', { nullable: true, example: '6011234567' })
  phone!: string | null;
  @MerchantStatus.field('active or suspended')
  status!: 'active' | 'suspended';
  @Moment('Since when it is suspended', { nullable: true })
  suspended_at!: Date | null;
  @Text('Why it is suspended', { nullable: true, example: 'Documents are missing' })
  suspension_reason!: string | null;
  @Amount('Balance of its account', { example: 0 })
  balance!: Money;
  @Amount("What is on all of its customers' accounts together", { example: 0 })
  customers_balance!: Money;
  @Moment('When it was created')
  creation_date!: Date;
}
