import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { trialEnd } from '../../workflows/billing';
import { dayOf } from '../../workflows/calendar';
import { unavailable } from '../acquirer/unavailable';
import type { Context } from '../context';
import { findCustomer } from '../customers/resolver';
import { findPlan } from '../plans/resolver';
import { clockOf } from '../platform/clock';
import { ApiError } from '../platform/errors';
import { Body, CustomerId, Id, type Owner } from '../schema/arguments';
import { connect } from '../schema/list';
import { letGoOfToken } from '../tokens/rows';
import { createSubscription, newIds } from './create';
import {
  CreateSubscription,
  History,
  ProjectedCharge,
  ProjectionQuestion,
  Subscription,
  SubscriptionConnection,
  SubscriptionsPage,
  SubscriptionsWindow,
  UpdateSubscription,
} from './fields';
import { historyOf, project } from './history';
import { findSubscription, listSubscriptions } from './list';
import { findSource, wantedSource } from './source';
import { cancel, refuseLongTrial, updateSubscription } from './update';
import { shownSubscription } from './view';

const PlanId = (): ParameterDecorator =>
  Arg('plan_id', () => ID, { nullable: true, description: 'Of which plan; absent: of any' }) as ParameterDecorator;

@Resolver()
export class SubscriptionResolver {
  @Query(() => Subscription, { description: 'One subscription' })
  async subscription(
    @Ctx() context: Context,
    @Id('subscription_id', 'Which subscription') subscription_id: string,
    @CustomerId() customer_id?: Owner,
  ): Promise<Subscription> {
    return shownSubscription(await findSubscription(context, subscription_id, customer_id));
  }

  @Query(() => [Subscription], {
    description: 'Subscriptions, newest first; without a status those that have not ended',
  })
  async subscriptions(
    @Ctx() context: Context,
    @Args(() => SubscriptionsPage) page: SubscriptionsPage,
    @CustomerId() customer_id?: Owner,
    @PlanId() plan_id?: Owner,
  ): Promise<Subscription[]> {
    await refuseMissing(context, customer_id, plan_id);
    const rows = await listSubscriptions(context, { customer_id, plan_id }, page, {
      skip: page.offset,
      take: page.limit,
    });
    return rows.map(shownSubscription);
  }

  @Query(() => SubscriptionConnection, { description: 'Subscriptions by cursor, newest first' })
  async subscriptionsConnection(
    @Ctx() context: Context,
    @Args(() => SubscriptionsWindow) window: SubscriptionsWindow,
    @CustomerId() customer_id?: Owner,
    @PlanId() plan_id?: Owner,
  ): Promise<SubscriptionConnection> {
    await refuseMissing(context, customer_id, plan_id);
    const { after, first } = window;
    const rows = await listSubscriptions(context, { customer_id, plan_id }, window, { take: first + 1, after });
    return connect(rows.map(shownSubscription), first);
  }

  @Query(() => [ProjectedCharge], { description: 'The next charges of a subscription, if all are paid or as assumed' })
  async projection(
    @Ctx() context: Context,
    @Id('subscription_id', 'Which subscription') subscription_id: string,
    @Args(() => ProjectionQuestion) question: ProjectionQuestion,
    @CustomerId() customer_id?: Owner,
  ): Promise<ProjectedCharge[]> {
    return project(await findSubscription(context, subscription_id, customer_id), question);
  }

  @Query(() => History, { description: 'What happened to a subscription and what comes next, in words' })
  async history(
    @Ctx() context: Context,
    @Id('subscription_id', 'Which subscription') subscription_id: string,
    @CustomerId() customer_id?: Owner,
  ): Promise<History> {
    return historyOf(context.db, await findSubscription(context, subscription_id, customer_id));
  }

  @Mutation(() => Subscription, {
    description: 'Subscribes a customer to a plan. Without a trial the first charge is made now',
  })
  async createSubscription(
    @Ctx() context: Context,
    @Id('customer_id', 'Which customer') customer_id: string,
    @Body('subscription', () => CreateSubscription, 'The new subscription') asked: CreateSubscription,
  ): Promise<Subscription> {
    const { db, merchant_id } = context;
    const customer = await findCustomer(context, customer_id);
    const wanted = wantedSource(asked) ?? (asked.card && { card: asked.card });
    if (!wanted) throw new ApiError('malformed', 'source_id or card is required');
    const clock = await clockOf(db, merchant_id, customer_id);
    refuseLongTrial(asked.trial_end_date, clock.now.getTime());
    const plan = await findPlan(context, asked.plan_id);
    if (plan.status === 'deleted') throw new ApiError('not_found');
    const { id, transaction_id } = await newIds(context);
    const today = dayOf(clock.now.getTime());
    const trial_end_date = asked.trial_end_date ?? trialEnd(today, plan.trial_days);
    const used_by = trial_end_date >= today ? id : transaction_id;
    const source = await findSource(context, customer_id, wanted, used_by, clock.now);
    const begun = { id, transaction_id, customer, plan, trial_end_date, clock };
    const row = await createSubscription(context, begun, source).catch(error =>
      source.token ? letGoOfToken(context, source.token, error) : unavailable(error),
    );
    return shownSubscription(row);
  }

  @Mutation(() => Subscription, { description: 'Changes a subscription: its end, its trial, its card' })
  async updateSubscription(
    @Ctx() context: Context,
    @Id('subscription_id', 'Which subscription') subscription_id: string,
    @Body('subscription', () => UpdateSubscription, 'What to change') changes: UpdateSubscription,
    @CustomerId() customer_id?: Owner,
  ): Promise<Subscription> {
    const found = await findSubscription(context, subscription_id, customer_id);
    return shownSubscription(await updateSubscription(context, found, changes));
  }

  @Mutation(() => Boolean, { description: 'Cancels a subscription at once' })
  async deleteSubscription(
    @Ctx() context: Context,
    @Id('subscription_id', 'Which subscription') subscription_id: string,
    @CustomerId() customer_id?: Owner,
  ): Promise<boolean> {
    await findSubscription(context, subscription_id, customer_id);
    if (!(await cancel(context.db, subscription_id, 'cancelled_by_merchant'))) throw new ApiError('not_found');
    return true;
  }
}

async function refuseMissing(context: Context, customer_id?: Owner, plan_id?: Owner): Promise<void> {
  if (customer_id) await findCustomer(context, customer_id);
  if (plan_id) await findPlan(context, plan_id);
}
