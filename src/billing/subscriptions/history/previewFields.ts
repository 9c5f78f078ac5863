import { InputType, ObjectType } from 'type-graphql';
import type { Money } from '../../../platform/money';
import { Amount, Day, Flag, ListOf, Nested } from '../../../schema/shapes';
import { PauseSubscription } from '../pauseFields';
import { ApplyCoupon, ChangeSubscription, CreateExtra } from '../pricing/fields';
import { ProjectedCharge } from './fields';

@InputType({ description: 'A change of a subscription: one of the members' })
export class PreviewedChange {
  @Nested('A pause', () => PauseSubscription, { optional: true, example: { resume_date: '2027-05-01' } })
  pause?: PauseSubscription;
  @Flag('A resumption', { optional: true })
  resume?: boolean;
  @Nested('A change of plan, quantity or coupon', () => ChangeSubscription, { optional: true })
  change?: ChangeSubscription;
  @Nested('A coupon', () => ApplyCoupon, { optional: true })
  coupon?: ApplyCoupon;
  @Nested('A one-off amount', () => CreateExtra, { optional: true })
  extra?: CreateExtra;
}

@ObjectType({ description: 'The charges after a change of a subscription' })
export class SubscriptionPreview {
  @Amount('Amount that is charged at once', { example: 0 })
  charge_now!: Money;
  @Amount('Credit for the unused days of the present period', { example: 0 })
  credit!: Money;
  @Amount('Credit that is left afterwards, used before the card', { example: 0 })
  credit_balance!: Money;
  @Day('Day of the next charge; null if there is none', { nullable: true, example: '2027-05-01' })
  next_charge_date!: string | null;
  @ListOf('The next charges, if all are paid', () => ProjectedCharge)
  charges!: ProjectedCharge[];
}
