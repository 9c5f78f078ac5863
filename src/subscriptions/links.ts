/** Links between resources in GraphQL. All records of one nesting level are loaded by one statement. */
import { Arg, Args, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { Card } from '../cards/fields';
import { toCard } from '../cards/resolver';
import { cardById } from '../cards/rows';
import { Transaction } from '../charges/fields';
import { toTransactions } from '../charges/list';
import type { TransactionRow } from '../charges/rows';
import type { Context } from '../context';
import { Customer } from '../customers/fields';
import { toCustomer } from '../customers/resolver';
import { customerById } from '../customers/rows';
import { Plan } from '../plans/fields';
import { toPlan } from '../plans/resolver';
import { planById } from '../plans/rows';
import { ApiError } from '../platform/errors';
import { type BoundedRow, rejectCut } from '../schema/boundedList';
import { Subscription } from './fields';
import { historyOf, projectCharges } from './history';
import { History, LatestArgs, ProjectedCharge, ProjectionArgs } from './historyFields';
import {
  cardsOfCustomer,
  chargesOfCustomer,
  chargesOfSubscription,
  subscriptionsOfCard,
  subscriptionsOfCustomer,
  subscriptionsOfPlan,
} from './newest';
import { parseRows, reloadSubscription, type SubscriptionRow, subscriptionById } from './rows';
import { toSubscription } from './view';

const First = (): ParameterDecorator =>
  Arg('first', () => Int, { defaultValue: 10, description: 'Records wanted, newest first' }) as ParameterDecorator;

const toSubscriptions = (rows: SubscriptionRow[]): Subscription[] => parseRows(rows).map(toSubscription);

function chargesWithRefunds(db: Context['db'], rows: (TransactionRow & BoundedRow)[]): Promise<Transaction[]> {
  rejectCut(rows);
  return toTransactions(db, rows);
}

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
  async plan(@Ctx() { db }: Context, @Root() { plan_id }: Subscription): Promise<Plan> {
    const row = await planById(db, plan_id);
    if (!row) throw new ApiError('not_found');
    return toPlan(row);
  }

  @FieldResolver(() => Customer, { nullable: true, description: 'Its customer; null once deleted' })
  customer(@Ctx() context: Context, @Root() { customer_id }: Subscription): Promise<Customer | null> {
    return customerOf(context, customer_id);
  }

  @FieldResolver(() => Card, { nullable: true, description: 'Its card, where that is one of the customer’s' })
  saved_card(@Ctx() context: Context, @Root() { card }: Subscription): Promise<Card | null> {
    return savedCard(context, card.id);
  }

  @FieldResolver(() => [Transaction], { description: 'Its charges, newest first' })
  async charges(@Ctx() { db }: Context, @Root() { id }: Subscription, @First() first: number): Promise<Transaction[]> {
    return chargesWithRefunds(db, await chargesOfSubscription(db, { id, first }));
  }

  @FieldResolver(() => [ProjectedCharge], { description: 'Its next charges, if all are paid or as assumed' })
  async projection(
    @Ctx() { db }: Context,
    @Root() { id }: Subscription,
    @Args(() => ProjectionArgs) question: ProjectionArgs,
  ): Promise<ProjectedCharge[]> {
    return projectCharges(await reloadSubscription(db, id), question);
  }

  @FieldResolver(() => History, { description: 'What happened to it and what comes next, in words' })
  async history(
    @Ctx() { db }: Context,
    @Root() { id }: Subscription,
    @Args(() => LatestArgs) { first }: LatestArgs,
  ): Promise<History> {
    return historyOf(db, await reloadSubscription(db, id), { limit: first, offset: 0 });
  }
}

@Resolver(() => Plan)
export class PlanLinks {
  @FieldResolver(() => [Subscription], { description: 'Its subscriptions, newest first' })
  async subscriptions(@Ctx() { db }: Context, @Root() { id }: Plan, @First() first: number): Promise<Subscription[]> {
    return toSubscriptions(await subscriptionsOfPlan(db, { id, first }));
  }
}

@Resolver(() => Customer)
export class CustomerLinks {
  @FieldResolver(() => [Subscription], { description: 'Its subscriptions, newest first' })
  async subscriptions(
    @Ctx() { db }: Context,
    @Root() { id }: Customer,
    @First() first: number,
  ): Promise<Subscription[]> {
    return toSubscriptions(await subscriptionsOfCustomer(db, { id, first }));
  }

  @FieldResolver(() => [Card], { description: 'Its cards, newest first' })
  async cards(@Ctx() { db }: Context, @Root() { id }: Customer, @First() first: number): Promise<Card[]> {
    return (await cardsOfCustomer(db, { id, first })).map(toCard);
  }

  @FieldResolver(() => [Transaction], { description: 'Its charges, newest first' })
  async charges(@Ctx() { db }: Context, @Root() { id }: Customer, @First() first: number): Promise<Transaction[]> {
    return chargesWithRefunds(db, await chargesOfCustomer(db, { id, first }));
  }
}

@Resolver(() => Card)
export class CardLinks {
  @FieldResolver(() => Customer, { nullable: true, description: 'Its customer; null for the merchant’s own' })
  customer(@Ctx() context: Context, @Root() { customer_id }: Card): Promise<Customer | null> {
    return customerOf(context, customer_id);
  }

  @FieldResolver(() => [Subscription], { description: 'The subscriptions that are charged to it, newest first' })
  async subscriptions(@Ctx() { db }: Context, @Root() { id }: Card, @First() first: number): Promise<Subscription[]> {
    return toSubscriptions(await subscriptionsOfCard(db, { id, first }));
  }
}

@Resolver(() => Transaction)
export class TransactionLinks {
  @FieldResolver(() => Subscription, { nullable: true, description: 'The subscription of which it charges a period' })
  async subscription(@Ctx() { db }: Context, @Root() { subscription_id }: Transaction): Promise<Subscription | null> {
    const row = subscription_id ? await subscriptionById(db, subscription_id) : undefined;
    return row && row.status !== 'new' ? toSubscription(row) : null;
  }

  @FieldResolver(() => Customer, { nullable: true, description: 'Whose, at customer level; null once deleted' })
  owner(@Ctx() context: Context, @Root() { customer_id }: Transaction): Promise<Customer | null> {
    return customerOf(context, customer_id);
  }

  @FieldResolver(() => Card, { nullable: true, description: 'The saved card that was charged, while it is there' })
  saved_card(@Ctx() context: Context, @Root() { card }: Transaction): Promise<Card | null> {
    return savedCard(context, card?.id);
  }
}
