import { ArgsType, ObjectType } from 'type-graphql';
import { MerchantEnvironment, MerchantStatus } from '../../accounts/merchants/fields';
import { ApiError } from '../../platform/errors';
import type { Money } from '../../platform/money';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { OPERATOR_ROLES, type OperatorRole } from '../../schema/operation/context';
import { MoneyScalar, scalar } from '../../schema/scalars';
import { Amount, Count, choice, Moment, Nested, Reference, Text, Value } from '../../schema/shapes';

const MAX_BASIS_POINTS = 10_000;

/** In hundredths of a percent, which have the same two decimals as amounts. */
export const PercentScalar = scalar<number>({
  name: 'Percent',
  description: 'A share in percent with at most two decimals, as 2.9',
  takesNumbers: true,
  parse: value => {
    const basisPoints = Number(MoneyScalar.parseValue(value));
    if (basisPoints < 0 || basisPoints > MAX_BASIS_POINTS) throw new ApiError('invalid_value', 'not_percentage');
    return basisPoints;
  },
  serialize: basisPoints => basisPoints / 100,
});

@ObjectType({ description: 'A merchant, as operators see it' })
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
  @Text('Why it is suspended', { nullable: true })
  suspension_reason!: string | null;
  @Value('What a charge costs it, in percent of the amount', () => PercentScalar)
  cost_rate!: number;
  @Amount('What a charge costs it besides')
  cost_fixed!: Money;
  @Text('The same merchant in the other environment', { nullable: true, id: 'merchant' })
  linked_merchant_id!: string | null;
  @Moment('When it was created')
  creation_date!: Date;
}

@ObjectType({ description: 'How much a merchant has; each is counted up to 100,000' })
export class MerchantCounts {
  @Count('Customers')
  customers!: number;
  @Count('Saved cards')
  cards!: number;
  @Count('Transactions of every kind')
  transactions!: number;
  @Count('Subscriptions that have not ended')
  subscriptions!: number;
  @Count('Webhooks')
  webhooks!: number;
}

@ObjectType({ description: 'One merchant, as operators see it, with its balances and how much it has' })
export class MerchantDetails extends MerchantAccount {
  @Amount('Balance of its account')
  balance!: Money;
  @Amount("What is on all of its customers' accounts together")
  customers_balance!: Money;
  @Nested('How much it has', () => MerchantCounts)
  counts!: MerchantCounts;
}

@ArgsType()
export class MerchantFilters extends Filters {
  @Text('The id of a merchant, or how its name or e-mail address begins, in any letter case', {
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
export class MerchantsPage extends paged(MerchantFilters) {}

@ArgsType()
export class MerchantsWindow extends cursorPaged(MerchantFilters) {}

@ObjectType({ description: 'A window on the list of merchants, newest first' })
export class MerchantAccountConnection extends connectionOf(MerchantAccount) {}

/** Which merchant, request or key an operator decides on. */
@ArgsType()
export class OperatorDecision {
  @Reference('Which one', { max: 45 })
  id!: string;
}

@ArgsType()
export class ReasonedDecision extends OperatorDecision {
  @Text('Why, in words for the merchant', { max: 1000 })
  reason!: string;
}

@ArgsType()
export class MerchantCosts extends OperatorDecision {
  @Value('What a charge costs, in percent of the amount', () => PercentScalar)
  rate!: number;
  @Amount('What a charge costs besides')
  fixed!: Money;
}

@ArgsType()
export class MerchantPayout extends OperatorDecision {
  @Amount('How much, at most its balance', { min: 1 })
  amount!: Money;
  @Text('What it is for', { optional: true, max: 250 })
  description?: string;
}

const OperatorRoleChoice = choice('OperatorRole', 'Each may do what those before it may', ...OPERATOR_ROLES);

@ObjectType({ description: 'A key of an operator' })
export class OperatorKey {
  @Text('Unique identifier', { id: 'key' })
  id!: string;
  @Text('Whose it is')
  name!: string;
  @OperatorRoleChoice.field('What it may do')
  role!: OperatorRole;
  @Text('Its beginning and its end')
  masked!: string;
  @Moment('When it was made')
  creation_date!: Date;
  @Text('The key itself; shown once', { optional: true })
  key?: string;
}

@ArgsType()
export class NewOperatorKey {
  @Text('Whose it is', { max: 100 })
  name!: string;
  @OperatorRoleChoice.field('What it may do')
  role!: OperatorRole;
}
