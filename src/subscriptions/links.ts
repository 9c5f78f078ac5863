/** Links between resources in GraphQL. All records of one nesting level are loaded by one statement. */
import { Arg, Args, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { Prisma } from '../../prisma/generated/client';
import { Card } from '../cards/fields';
import { toCard } from '../cards/resolver';
import { type CardRow, cardById, cardColumns } from '../cards/rows';
import { TRANSACTION_COLUMNS } from '../charges/card/prepare';
import { Transaction } from '../charges/fields';
import { toTransactions } from '../charges/list';
import type { TransactionRow } from '../charges/view';
import type { Context } from '../context';
import { Customer } from '../customers/fields';
import { toCustomer } from '../customers/resolver';
import { customerById } from '../customers/rows';
import { batched } from '../database/batch';
import type { Database } from '../database/connection';
import { Plan } from '../plans/fields';
import { planById, toPlan } from '../plans/resolver';
import { ApiError } from '../platform/errors';
import { History, ProjectedCharge, ProjectionQuestion, Subscription } from './fields';
import { historyOf, projectCharges } from './history';
import {
  parseRows,
  reloadSubscription,
  SUBSCRIPTION_COLUMNS,
  SUBSCRIPTION_JOINS,
  type SubscriptionRow,
  subscriptionById,
} from './rows';
import { toSubscription } from './view';

const MAX_NESTED_RECORDS = 1000;
const First = (): ParameterDecorator =>
  Arg('first', () => Int, { defaultValue: 10, description: 'Records wanted, newest first' }) as ParameterDecorator;

interface NewestRequest {
  id: string;
  first: number;
}

/** Loads the newest records of many owners at once. `from` is the rest of the statement, in which `owner.id` is the owner. */
function newestLoader<R extends { id: string; creation_date: Date }>(columns: Prisma.Sql, from: Prisma.Sql) {
  const keyOf = ({ id, first }: NewestRequest): string => `${id} ${first}`;
  const load = batched(
    async (db, wanted: readonly NewestRequest[]) => {
      const requests = new Map(wanted.map(request => [keyOf(request), request]));
      const rows = await db.$queryRaw<(R & { request: string })[]>`
      select owner.request, record.* from jsonb_to_recordset(${JSON.stringify([...requests].map(([request, owner]) => ({ request, ...owner })))}::jsonb)
        as owner (request text, id text, first integer), lateral (select ${columns} ${from} limit owner.first) record`;
      const newest = rows.sort(
        (a, b) => b.creation_date.getTime() - a.creation_date.getTime() || (a.id < b.id ? 1 : -1),
      );
      return [...requests.keys()].map(id => ({ id, rows: newest.filter(({ request }) => request === id) as R[] }));
    },
    keyOf,
    1000,
  );
  return async (db: Database, request: NewestRequest): Promise<R[]> => {
    if (request.first < 1 || request.first > MAX_NESTED_RECORDS)
      throw new ApiError('invalid_value', `first must be from 1 to ${MAX_NESTED_RECORDS}`);
    return (await load(db, request))?.rows ?? [];
  };
}

const NEWEST_FIRST = Prisma.raw('order by creation_date desc, id desc');
const subscriptionsBy = (column: string) =>
  newestLoader<SubscriptionRow>(
    SUBSCRIPTION_COLUMNS,
    Prisma.sql`from subscriptions s ${SUBSCRIPTION_JOINS} where s.${Prisma.raw(column)} = owner.id and s.status <> 'new'
      order by s.creation_date desc, s.id desc`,
  );
const chargesBy = (column: string) =>
  newestLoader<TransactionRow>(
    TRANSACTION_COLUMNS,
    Prisma.sql`from transactions where ${Prisma.raw(column)} = owner.id and transaction_type = 'charge' ${NEWEST_FIRST}`,
  );

const subscriptionsOfCustomer = subscriptionsBy('customer_id');
const subscriptionsOfPlan = subscriptionsBy('plan_id');
const subscriptionsOfCard = subscriptionsBy('card_id');
const chargesOfCustomer = chargesBy('customer_id');
const chargesOfSubscription = chargesBy('subscription_id');
const cardsOfCustomer = newestLoader<CardRow>(
  Prisma.raw(cardColumns.map(column => `"${column}"`).join(', ')),
  Prisma.sql`from cards where customer_id = owner.id and status = 'active' ${NEWEST_FIRST}`,
);

const toSubscriptions = (rows: SubscriptionRow[]): Subscription[] => parseRows(rows).map(toSubscription);

async function customerOf({ db }: Context, id: string | null | undefined): Promise<Customer | null> {
  const row = id ? await customerById(db, id) : undefined;
  return row?.status === 'active' ? toCustomer(row, row.balance) : null;
}

async function savedCard({ db }: Context, id: string | undefined): Promise<Card | null> {
  const row = id ? await cardById(db, id) : undefined;
  return row?.status === 'active' ? toCard(row) : null;
}

@Resolver(() => Subscription)
export class SubscriptionEdges {
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
    return toTransactions(db, await chargesOfSubscription(db, { id, first }));
  }

  @FieldResolver(() => [ProjectedCharge], { description: 'Its next charges, if all are paid or as assumed' })
  async projection(
    @Ctx() { db }: Context,
    @Root() { id }: Subscription,
    @Args(() => ProjectionQuestion) question: ProjectionQuestion,
  ): Promise<ProjectedCharge[]> {
    return projectCharges(await reloadSubscription(db, id), question);
  }

  @FieldResolver(() => History, { description: 'What happened to it and what comes next, in words' })
  async history(@Ctx() { db }: Context, @Root() { id }: Subscription): Promise<History> {
    return historyOf(db, await reloadSubscription(db, id));
  }
}

@Resolver(() => Plan)
export class PlanEdges {
  @FieldResolver(() => [Subscription], { description: 'Its subscriptions, newest first' })
  async subscriptions(@Ctx() { db }: Context, @Root() { id }: Plan, @First() first: number): Promise<Subscription[]> {
    return toSubscriptions(await subscriptionsOfPlan(db, { id, first }));
  }
}

@Resolver(() => Customer)
export class CustomerEdges {
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
    return toTransactions(db, await chargesOfCustomer(db, { id, first }));
  }
}

@Resolver(() => Card)
export class CardEdges {
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
export class TransactionEdges {
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
