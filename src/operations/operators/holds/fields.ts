import { ArgsType, ObjectType } from 'type-graphql';
import { MerchantEnvironment } from '../../../accounts/merchants/fields';
import { MAX_OVER_SECONDS } from '../../../billing/holds/hold';
import { HOLD_SCOPES, type HoldScope } from '../../../billing/holds/rows';
import { TimestampScalar } from '../../../notifications/webhooks/deliveryFields';
import { Count, choice, Moment, Reference, Text, Value } from '../../../schema/shapes';

const HoldScopeChoice = choice('HoldScope', 'Whose billing is held', ...HOLD_SCOPES);

@ObjectType({ description: 'Billing that an operator holds: what falls due waits, and is billed once afterwards' })
export class BillingHold {
  @Text('Unique identifier', { id: 'hold' })
  id!: string;
  @HoldScopeChoice.field('What of')
  scope!: HoldScope;
  @Text('The subscription, customer, plan or merchant; of everything the environment')
  object_id!: string;
  @MerchantEnvironment.field('sandbox or production')
  environment!: 'sandbox' | 'production';
  @Text('Whose it is; null of everything', { nullable: true, id: 'merchant' })
  merchant_id!: string | null;
  @Text('Why')
  reason!: string;
  @Text('Who held it: operator, temporal or system')
  actor!: string;
  @Text('The key of the operator, or what is known of whoever it was', { nullable: true })
  actor_id!: string | null;
  @Moment('Since when')
  held_at!: Date;
  @Moment('When it is released by itself; null: somebody has to', { nullable: true })
  until!: Date | null;
  @Moment('When it was released; null while it is held', { nullable: true })
  released_at!: Date | null;
  @Text('Who released it', { nullable: true })
  released_by!: string | null;
}

@ArgsType()
export class HoldsPage {
  @Reference('Only those of this merchant, its customers, plans and subscriptions', { optional: true, max: 45 })
  merchant_id?: string;
  @MerchantEnvironment.field('sandbox or production', { optional: true })
  environment?: 'sandbox' | 'production';
  @Count('Records to skip', { optional: true, min: 0 })
  offset: number = 0;
  @Count('Records wanted', { optional: true, min: 1, max: 1000 })
  limit: number = 100;
}

@ArgsType()
class HoldObject {
  @Reference('A subscription, customer, plan or merchant, or the word everything', { max: 45 })
  id!: string;
  @MerchantEnvironment.field('Of everything: where', { optional: true })
  environment?: 'sandbox' | 'production';
}

@ArgsType()
export class NewHold extends HoldObject {
  @Text('Why', { max: 1000 })
  reason!: string;
  @Value('When it is released by itself; absent: somebody has to', () => TimestampScalar, { optional: true })
  until?: Date;
}

@ArgsType()
export class HoldRelease extends HoldObject {
  @Text('Why', { max: 1000 })
  reason!: string;
  @Count('Over how many seconds what fell due is billed; absent: by how much it is', {
    optional: true,
    min: 0,
    max: MAX_OVER_SECONDS,
  })
  over_seconds?: number;
}
