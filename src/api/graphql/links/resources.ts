/** Links between resources in GraphQL. All records of one nesting level are loaded by one statement. */
import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Plan } from '../../../billing/plans/fields';
import { toPlan } from '../../../billing/plans/resolver';
import { planById } from '../../../billing/plans/rows';
import { Subscription } from '../../../billing/subscriptions/fields';
import { historyOf, projectCharges } from '../../../billing/subscriptions/history';
import { History, LatestHistory, ProjectedCharge, ProjectionArgs } from '../../../billing/subscriptions/historyFields';
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
  @FieldResolver(() => Plan, { description: 'Its plan' })
  @AllowCustomerSession()
  async plan(@Ctx() { db }: Context, @Root() { plan_id }: Subscription): Promise<Plan> {
    const row = await planById(db, plan_id);
    if (!row) throw new ApiError('not_found');
    return toPlan(row);
  }

  @FieldResolver(() => Customer, { nullable: true, description: 'Its customer; null once deleted' })
  @AllowCustomerSession()
  customer(@Ctx() context: Context, @Root() { customer_id }: Subscription): Promise<Customer | null> {
    return customerOf(context, customer_id);
  }

  @FieldResolver(() => Card, { nullable: true, description: 'Its card, where that is one of the customer’s' })
  @AllowCustomerSession()
  saved_card(@Ctx() context: Context, @Root() { card }: Subscription): Promise<Card | null> {
    return savedCard(context, card.id);
  }

  @FieldResolver(() => [ProjectedCharge], { description: 'Its next charges, if all are paid or as assumed' })
  @AllowCustomerSession()
  async projection(
    @Ctx() { db }: Context,
    @Root() { id }: Subscription,
    @Args(() => ProjectionArgs) question: ProjectionArgs,
  ): Promise<ProjectedCharge[]> {
    return projectCharges(await reloadSubscription(db, id), question);
  }

  @FieldResolver(() => History, { description: 'What happened to it and what comes next, in words' })
  @AllowCustomerSession()
  async history(
    @Ctx() context: Context,
    @Root() { id }: Subscription,
    @Args(() => LatestHistory) { first, ...page }: LatestHistory,
  ): Promise<History> {
    return historyOf(context, await reloadSubscription(context.db, id), { ...page, limit: first, offset: 0 });
  }
}

@Resolver(() => Card)
export class CardLinks {
  @FieldResolver(() => Customer, { nullable: true, description: 'Its customer; null for the merchant’s own' })
  @AllowCustomerSession()
  customer(@Ctx() context: Context, @Root() { customer_id }: Card): Promise<Customer | null> {
    return customerOf(context, customer_id);
  }
}

@Resolver(() => Transaction)
export class TransactionLinks {
  @FieldResolver(() => Subscription, { nullable: true, description: 'The subscription of which it charges a period' })
  @AllowCustomerSession()
  async subscription(@Ctx() { db }: Context, @Root() { subscription_id }: Transaction): Promise<Subscription | null> {
    const row = subscription_id ? await subscriptionById(db, subscription_id) : undefined;
    return row && row.status !== 'new' ? toSubscription(row) : null;
  }

  @FieldResolver(() => ErrorCode, { nullable: true, description: 'Why it failed: the name of error_code' })
  @AllowCustomerSession()
  error(@Root() { error_code }: Transaction): ErrorKind | null {
    return typeof error_code === 'number' ? errorKindOf(error_code) : null;
  }

  @FieldResolver(() => Payer)
  @AllowCustomerSession()
  async customer(@Ctx() context: Context, @Root() charge: Transaction): Promise<Payer | null> {
    const owner = charge.customer ? null : await customerOf(context, charge.customer_id);
    return owner ? { ...owner, address: null, creation_date: charge.creation_date } : (charge.customer ?? null);
  }

  @FieldResolver(() => Customer, { nullable: true, description: 'Whose, at customer level; null once deleted' })
  @AllowCustomerSession()
  owner(@Ctx() context: Context, @Root() { customer_id }: Transaction): Promise<Customer | null> {
    return customerOf(context, customer_id);
  }

  @FieldResolver(() => Card, { nullable: true, description: 'The saved card that was charged, while it is there' })
  @AllowCustomerSession()
  saved_card(@Ctx() context: Context, @Root() { card }: Transaction): Promise<Card | null> {
    return savedCard(context, card?.id);
  }
}
