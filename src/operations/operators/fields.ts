import { ArgsType, ObjectType } from 'type-graphql';
import { MerchantEnvironment, MerchantStatus } from '../../accounts/merchants/fields';
import type { Money } from '../../platform/money';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters } from '../../schema/list';
import { OPERATOR_ROLES, type OperatorRole } from '../../schema/operation/context';
import { PercentScalar } from '../../schema/scalars';
import { Amount, Count, choice, Moment, Nested, Text, Value } from '../../schema/shapes';

@ObjectType({ description: 'A merchant account, visible to operators' })
export class MerchantAccount {
  @Text('Unique identifier', { id: 'merchant' })
  id!: string;
  @MerchantEnvironment.field('sandbox or production')
  environment!: 'sandbox' | 'production';
  @Text('Name')
  name!: string;
  @Text('E-mail address')
  email!: string;
  @Text('Phone number', { nullable: true })
  phone!: string | null;
  @MerchantStatus.field('active or suspended')
  status!: 'active' | 'suspended';
  @Text('Reason of the suspension', { nullable: true })
  suspension_reason!: string | null;
  @Value('Fee per charge, in percent of the amount', () => PercentScalar)
  cost_rate!: number;
  @Amount('Fixed fee per charge')
  cost_fixed!: Money;
  @Amount('Part of the balance that payouts leave')
  reserve!: Money;
  @Text("ID of the same merchant's account in the other environment", { nullable: true, id: 'merchant' })
  linked_merchant_id!: string | null;
  @Moment('Time of creation')
  creation_date!: Date;
}

@ObjectType({ description: 'Number of objects of a merchant, each counted up to 100,000' })
export class MerchantCounts {
  @Count('Customers')
  customers!: number;
  @Count('Saved cards')
  cards!: number;
  @Count('Transactions of all types')
  transactions!: number;
  @Count('Subscriptions that have not ended')
  subscriptions!: number;
  @Count('Webhooks')
  webhooks!: number;
}

@ObjectType({ description: 'A merchant account with its balances and object counts, visible to operators' })
export class MerchantDetails extends MerchantAccount {
  @Amount("Balance of the merchant's account")
  balance!: Money;
  @Amount('Part of the balance that can be paid out')
  available!: Money;
  @Amount("Total balance of all customers' accounts")
  customers_balance!: Money;
  @Nested('Object counts', () => MerchantCounts)
  counts!: MerchantCounts;
}

@ArgsType()
export class MerchantFilters extends Filters {
  @Text('Merchant ID, or a case-insensitive prefix of the name or e-mail address', {
    optional: true,
    max: 100,
  })
  find?: string;
  @MerchantStatus.field('active or suspended', { optional: true })
  status?: 'active' | 'suspended';
  @MerchantEnvironment.field('sandbox or production', { optional: true })
  environment?: 'sandbox' | 'production';
}

@ArgsType()
export class MerchantsArgs extends cursorPaged(MerchantFilters) {}

@ObjectType({ description: 'Merchant accounts, newest first' })
export class MerchantAccountConnection extends connectionOf(MerchantAccount) {}

@ArgsType()
export class OperatorDecision {
  @Text('ID of the object', { max: 45 })
  id!: string;
}

@ArgsType()
export class ReasonedDecision extends OperatorDecision {
  @Text('Reason, shown to the merchant', { max: 1000 })
  reason!: string;
}

@ArgsType()
export class DecisionWithNote extends OperatorDecision {
  @Text('Reason, for the audit log', { optional: true, max: 1000 })
  reason?: string;
}

@ArgsType()
export class MerchantCosts extends OperatorDecision {
  @Value('Fee per charge, in percent of the amount', () => PercentScalar)
  rate!: number;
  @Amount('Fixed fee per charge')
  fixed!: Money;
  @Text('Reason, shown in the audit log of the merchant', { optional: true, max: 1000 })
  reason?: string;
}

@ArgsType()
export class MerchantReserve extends OperatorDecision {
  @Amount('Part of the balance that payouts leave; 0 for none')
  amount!: Money;
  @Text('Reason, shown in the audit log of the merchant', { max: 1000 })
  reason!: string;
}

@ArgsType()
export class MerchantPayout extends OperatorDecision {
  @Amount('Amount, at most `available` of the merchant', { min: 1 })
  amount!: Money;
  @Text('Description of the payout', { optional: true, max: 250 })
  description?: string;
  @Text('Reason, shown in the audit log of the merchant', { optional: true, max: 1000 })
  reason?: string;
}

const OperatorRoleChoice = choice(
  'OperatorRole',
  'Role of an operator; each role includes the rights of the roles before it',
  ...OPERATOR_ROLES,
);

@ObjectType({ description: 'An operator key' })
export class OperatorKey {
  @Text('Unique identifier', { id: 'key' })
  id!: string;
  @Text('Name of the operator')
  name!: string;
  @OperatorRoleChoice.field('Role of the key')
  role!: OperatorRole;
  @Text('Prefix and last four characters of the key')
  masked!: string;
  @Moment('Time of creation')
  creation_date!: Date;
  @Text('The secret key; returned only at creation', { optional: true })
  key?: string;
}

@ArgsType()
export class NewOperatorKey {
  @Text('Name of the operator', { max: 100 })
  name!: string;
  @OperatorRoleChoice.field('Role of the key')
  role!: OperatorRole;
}
