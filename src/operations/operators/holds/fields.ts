import { GraphQLString } from 'graphql';
import { ArgsType, ObjectType } from 'type-graphql';
import { MerchantEnvironment } from '../../../accounts/merchants/fields';
import { MAX_OVER_SECONDS } from '../../../billing/holds/hold';
import { HOLD_SCOPES, type HoldScope } from '../../../billing/holds/rows';
import { uncountedConnectionOf } from '../../../schema/connections/connection';
import { TimestampScalar } from '../../../schema/scalars';
import { Count, choice, Moment, Text, Value, Values } from '../../../schema/shapes';

const HoldScopeChoice = choice('HoldScope', 'Scope of a billing hold', ...HOLD_SCOPES);

@ObjectType({ description: 'A billing hold: renewals that fall due are billed once after the release' })
export class BillingHold {
  @Text('Unique identifier', { id: 'hold' })
  id!: string;
  @HoldScopeChoice.field('Scope of the hold')
  scope!: HoldScope;
  @Text('ID of the subscription, customer, plan or merchant; for everything, the environment')
  object_id!: string;
  @MerchantEnvironment.field('sandbox or production')
  environment!: 'sandbox' | 'production';
  @Text('Merchant ID; null for everything', { nullable: true, id: 'merchant' })
  merchant_id!: string | null;
  @Text('Reason of the hold')
  reason!: string;
  @Text('Type of the actor that placed the hold: operator, temporal or system')
  actor!: string;
  @Text('ID of the operator key, or another identifier of the actor', { nullable: true })
  actor_id!: string | null;
  @Moment('Time when the hold began')
  held_at!: Date;
  @Moment('Time of automatic release; null if an operator must release it', { nullable: true })
  until!: Date | null;
  @Moment('Time of release; null while the hold is active', { nullable: true })
  released_at!: Date | null;
  @Text('Actor that released the hold', { nullable: true })
  released_by!: string | null;
}

@ObjectType({ description: 'A page of billing holds' })
export class BillingHoldConnection extends uncountedConnectionOf(BillingHold) {}

@ArgsType()
export class HoldsArgs {
  @Text('Merchant ID, including its customers, plans and subscriptions', { optional: true, max: 45 })
  merchant_id?: string;
  @MerchantEnvironment.field('sandbox or production', { optional: true })
  environment?: 'sandbox' | 'production';
  @Count('Return the first n holds (default 100)', { optional: true, min: 1, max: 1000 })
  first: number = 100;
  @Text('Return holds after this cursor, which is a hold ID', { optional: true, max: 45 })
  after?: string;
}

@ArgsType()
export class HoldObject {
  @Text('ID of a subscription, customer, plan or merchant, or "everything"', { max: 45 })
  id!: string;
  @MerchantEnvironment.field('Environment; required for "everything"', { optional: true })
  environment?: 'sandbox' | 'production';
}

@ArgsType()
export class NewHold extends HoldObject {
  @Text('Why', { max: 1000 })
  reason!: string;
  @Value('Time of automatic release; omit if an operator releases it', () => TimestampScalar, { optional: true })
  until?: Date;
}

@ArgsType()
export class HoldRelease extends HoldObject {
  @Text('Why', { max: 1000 })
  reason!: string;
  @Count('Seconds over which overdue renewals are spread; by default according to their number', {
    optional: true,
    min: 0,
    max: MAX_OVER_SECONDS,
  })
  over_seconds?: number;
}

@ArgsType()
export class WorkerDrain {
  @Text('Worker ID, or "all"', { max: 45 })
  id!: string;
  @Text('Reason, for the audit log', { max: 1000 })
  reason!: string;
}

@ObjectType({ description: 'Workers that accept no new work' })
export class DrainedWorkers {
  @Values('Worker IDs', () => GraphQLString)
  ids!: string[];
}
