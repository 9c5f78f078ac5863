import { Args, ArgsType, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Plan } from '../../../billing/plans/fields';
import { Subscription, SubscriptionStatus, type SubscriptionStatusName } from '../../../billing/subscriptions/fields';
import { SubscriptionConnection } from '../../../billing/subscriptions/listFields';
import { Card, CardConnection } from '../../../payments/cards/fields';
import { TransactionConnection, TransactionStatus, type TransactionStatusName } from '../../../payments/charges/fields';
import { Customer } from '../../../payments/customers/fields';
import { type Metadata, MetadataFilter } from '../../../payments/metadata/metadata';
import { cursorPaged } from '../../../schema/connections/window';
import type { Context } from '../../../schema/operation/context';
import { AllowCustomerSession } from '../../../schema/operation/guard';
import {
  cardsOfCustomer,
  chargesOfCustomer,
  chargesOfSubscription,
  subscriptionsOfCard,
  subscriptionsOfCustomer,
  subscriptionsOfPlan,
} from './rows';

@ArgsType()
class NestedCardsConnectionArgs extends cursorPaged(class {}) {}

@ArgsType()
class NestedSubscriptionFilters {
  @SubscriptionStatus.several('Statuses; omit for all', { optional: true })
  status?: SubscriptionStatusName[];
  @MetadataFilter
  metadata?: Metadata;
}

@ArgsType()
class NestedSubscriptionsConnectionArgs extends cursorPaged(NestedSubscriptionFilters) {}

@ArgsType()
class NestedChargeFilters {
  @TransactionStatus.several('Statuses; omit for all', { optional: true })
  status?: TransactionStatusName[];
  @MetadataFilter
  metadata?: Metadata;
}

@ArgsType()
class NestedChargesConnectionArgs extends cursorPaged(NestedChargeFilters) {}

@Resolver(() => Customer)
export class CustomerConnections {
  @FieldResolver(() => SubscriptionConnection, { description: 'Subscriptions of the customer, newest first' })
  @AllowCustomerSession()
  subscriptions(
    @Ctx() { db }: Context,
    @Root() { id }: Customer,
    @Args(() => NestedSubscriptionsConnectionArgs) window: NestedSubscriptionsConnectionArgs,
  ): Promise<SubscriptionConnection> {
    return subscriptionsOfCustomer.connection(db, id, window);
  }

  @FieldResolver(() => CardConnection, { description: 'Cards of the customer, newest first' })
  @AllowCustomerSession()
  cards(
    @Ctx() { db }: Context,
    @Root() { id }: Customer,
    @Args(() => NestedCardsConnectionArgs) window: NestedCardsConnectionArgs,
  ): Promise<CardConnection> {
    return cardsOfCustomer.connection(db, id, window);
  }

  @FieldResolver(() => TransactionConnection, { description: 'Charges of the customer, newest first' })
  @AllowCustomerSession()
  charges(
    @Ctx() { db }: Context,
    @Root() { id }: Customer,
    @Args(() => NestedChargesConnectionArgs) window: NestedChargesConnectionArgs,
  ): Promise<TransactionConnection> {
    return chargesOfCustomer.connection(db, id, window);
  }
}

@Resolver(() => Subscription)
export class SubscriptionConnections {
  @FieldResolver(() => TransactionConnection, { description: 'Charges of the subscription, newest first' })
  @AllowCustomerSession()
  charges(
    @Ctx() { db }: Context,
    @Root() { id }: Subscription,
    @Args(() => NestedChargesConnectionArgs) window: NestedChargesConnectionArgs,
  ): Promise<TransactionConnection> {
    return chargesOfSubscription.connection(db, id, window);
  }
}

/** Closed to customer sessions, because a plan has subscriptions of several customers. */
@Resolver(() => Plan)
export class PlanConnections {
  @FieldResolver(() => SubscriptionConnection, { description: 'Subscriptions to the plan, newest first' })
  subscriptions(
    @Ctx() { db }: Context,
    @Root() { id }: Plan,
    @Args(() => NestedSubscriptionsConnectionArgs) window: NestedSubscriptionsConnectionArgs,
  ): Promise<SubscriptionConnection> {
    return subscriptionsOfPlan.connection(db, id, window);
  }
}

@Resolver(() => Card)
export class CardConnections {
  @FieldResolver(() => SubscriptionConnection, {
    description: 'Subscriptions that charge the card, newest first',
  })
  @AllowCustomerSession()
  subscriptions(
    @Ctx() { db }: Context,
    @Root() { id }: Card,
    @Args(() => NestedSubscriptionsConnectionArgs) window: NestedSubscriptionsConnectionArgs,
  ): Promise<SubscriptionConnection> {
    return subscriptionsOfCard.connection(db, id, window);
  }
}
