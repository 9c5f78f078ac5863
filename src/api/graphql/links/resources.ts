/** Links between resources in GraphQL, loaded by one SQL statement per nesting level. */
import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { PaymentLink } from '../../../billing/paymentLinks/fields';
import { Plan } from '../../../billing/plans/fields';
import { toPlan } from '../../../billing/plans/resolver';
import { planById } from '../../../billing/plans/rows';
import { Subscription } from '../../../billing/subscriptions/fields';
import {
  ProjectedCharge,
  ProjectionArgs,
  SubscriptionHistory,
  SubscriptionHistoryArgs,
} from '../../../billing/subscriptions/history/fields';
import { type OpenHistory, openHistory, projectCharges } from '../../../billing/subscriptions/history/history';
import { reloadSubscription, subscriptionById } from '../../../billing/subscriptions/rows';
import { toSubscription } from '../../../billing/subscriptions/view';
import { Card } from '../../../payments/cards/fields';
import { toCard } from '../../../payments/cards/resolver';
import { cardById } from '../../../payments/cards/rows';
import { Payer, Transaction } from '../../../payments/charges/fields';
import { Customer } from '../../../payments/customers/fields';
import { toCustomer } from '../../../payments/customers/resolver';
import { customerById } from '../../../payments/customers/rows';
import { ApiError, type ErrorKind, errorKindOf } from '../../../platform/errors';
import { ErrorCode } from '../../../schema/errors/errorCode';
import type { Context } from '../../../schema/operation/context';
import { AllowCustomerSession } from '../../../schema/operation/guard';

async function customerOf({ db }: Context, id: string | null | undefined): Promise<Customer | null> {
  const row = id ? await customerById(db, id) : undefined;
  return row?.status === 'active' ? toCustomer(row, row.balance) : null;
}

async function savedCard({ db }: Context, id: string | undefined): Promise<Card | null> {
  const row = id ? await cardById(db, id) : undefined;
  return row?.status === 'active' ? toCard(row) : null;
}

@Resolver(() => Subscription)
export class SubscriptionLinks {
  @FieldResolver(() => Plan, { description: 'The plan of the subscription' })
  @AllowCustomerSession()
  async plan(@Ctx() { db }: Context, @Root() { plan_id }: Subscription): Promise<Plan> {
    const row = await planById(db, plan_id);
    if (!row) throw new ApiError('not_found');
    return toPlan(row);
  }

  @FieldResolver(() => Customer, { nullable: true, description: 'The customer of the subscription; null if deleted' })
  @AllowCustomerSession()
  customer(@Ctx() context: Context, @Root() { customer_id }: Subscription): Promise<Customer | null> {
    return customerOf(context, customer_id);
  }

  @FieldResolver(() => Card, { nullable: true, description: 'The card, if it is saved for the customer' })
  @AllowCustomerSession()
  saved_card(@Ctx() context: Context, @Root() { card }: Subscription): Promise<Card | null> {
    return savedCard(context, card.id);
  }

  @FieldResolver(() => [ProjectedCharge], {
    description: 'The next charges, assuming that all are paid or the given outcomes',
  })
  @AllowCustomerSession()
  async projection(
    @Ctx() { db }: Context,
    @Root() { id }: Subscription,
    @Args(() => ProjectionArgs) question: ProjectionArgs,
  ): Promise<ProjectedCharge[]> {
    return projectCharges(await reloadSubscription(db, id), question);
  }

  @FieldResolver(() => SubscriptionHistory, { description: 'History and next step of the subscription, in words' })
  @AllowCustomerSession()
  async history(
    @Ctx() context: Context,
    @Root() { id }: Subscription,
    @Args(() => SubscriptionHistoryArgs) { language }: SubscriptionHistoryArgs,
  ): Promise<OpenHistory> {
    return openHistory(context, await reloadSubscription(context.db, id), language);
  }
}

@Resolver(() => Card)
export class CardLinks {
  @FieldResolver(() => Customer, {
    nullable: true,
    description: 'The customer of the card; null for merchant-level cards',
  })
  @AllowCustomerSession()
  customer(@Ctx() context: Context, @Root() { customer_id }: Card): Promise<Customer | null> {
    return customerOf(context, customer_id);
  }
}

@Resolver(() => PaymentLink)
export class PaymentLinkLinks {
  @FieldResolver(() => Customer, {
    nullable: true,
    description: 'The customer of the link; null for merchant-level payments, or if deleted',
  })
  customer(@Ctx() context: Context, @Root() { customer_id }: PaymentLink): Promise<Customer | null> {
    return customerOf(context, customer_id);
  }

  @FieldResolver(() => Plan, { nullable: true, description: 'The plan that the payer subscribes to' })
  async plan(@Ctx() { db }: Context, @Root() { plan_id }: PaymentLink): Promise<Plan | null> {
    const row = plan_id ? await planById(db, plan_id) : undefined;
    return row ? toPlan(row) : null;
  }
}

@Resolver(() => Transaction)
export class TransactionLinks {
  @FieldResolver(() => Subscription, { nullable: true, description: 'The subscription this charge pays for' })
  @AllowCustomerSession()
  async subscription(@Ctx() { db }: Context, @Root() { subscription_id }: Transaction): Promise<Subscription | null> {
    const row = subscription_id ? await subscriptionById(db, subscription_id) : undefined;
    return row && row.status !== 'new' ? toSubscription(row) : null;
  }

  @FieldResolver(() => ErrorCode, { nullable: true, description: 'Reason for the failure: the name of error_code' })
  @AllowCustomerSession()
  error(@Root() { error_code }: Transaction): ErrorKind | null {
    return typeof error_code === 'number' ? errorKindOf(error_code) : null;
  }

  @FieldResolver(() => Payer, { nullable: true, description: 'The payer as of the charge, or the present customer' })
  @AllowCustomerSession()
  async payer(@Ctx() context: Context, @Root() charge: Transaction): Promise<Payer | null> {
    const owner = charge.customer ? null : await customerOf(context, charge.customer_id);
    return owner ? { ...owner, address: null, creation_date: charge.creation_date } : (charge.customer ?? null);
  }

  @FieldResolver(() => Customer, {
    nullable: true,
    description: 'The customer of a customer-level transaction; null if deleted',
  })
  @AllowCustomerSession()
  customer(@Ctx() context: Context, @Root() { customer_id }: Transaction): Promise<Customer | null> {
    return customerOf(context, customer_id);
  }

  @FieldResolver(() => Card, { nullable: true, description: 'The charged saved card; null if deleted' })
  @AllowCustomerSession()
  saved_card(@Ctx() context: Context, @Root() { card }: Transaction): Promise<Card | null> {
    return savedCard(context, card?.id);
  }
}
