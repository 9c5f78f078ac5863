/** The events of a charge and of a subscription, nested in GraphQL: one statement for all objects of a request. */
import { Args, ArgsType, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Transaction } from '../charges/fields';
import type { Context } from '../context';
import { Event, EventConnection } from '../events/fields';
import { cursorPaged } from '../schema/connections/window';
import { OfCustomer } from '../schema/guard';
import { eventsOfObject } from './connections/lists';
import { Subscription } from './fields';
import { LatestArgs } from './historyFields';

@ArgsType()
class NestedEventsWindow extends cursorPaged(class {}) {}

const PLAIN = {
  description: 'Its latest events, oldest first',
  deprecationReason: 'Since 2026-11-17, until 2027-11-17: use eventsConnection',
};
const BY_CURSOR = { description: 'Its events, the last written first' };

const latestEvents = async ({ db }: Context, id: string, { first }: LatestArgs): Promise<Event[]> =>
  (await eventsOfObject.newest(db, id, first)).reverse();

@Resolver(() => Transaction)
export class TransactionEventLinks {
  @FieldResolver(() => [Event], PLAIN)
  @OfCustomer()
  events(
    @Ctx() context: Context,
    @Root() { id }: Transaction,
    @Args(() => LatestArgs) latest: LatestArgs,
  ): Promise<Event[]> {
    return latestEvents(context, id, latest);
  }

  @FieldResolver(() => EventConnection, BY_CURSOR)
  @OfCustomer()
  eventsConnection(
    @Ctx() { db }: Context,
    @Root() { id }: Transaction,
    @Args(() => NestedEventsWindow) window: NestedEventsWindow,
  ): Promise<EventConnection> {
    return eventsOfObject.connection(db, id, window);
  }
}

@Resolver(() => Subscription)
export class SubscriptionEventLinks {
  @FieldResolver(() => [Event], PLAIN)
  @OfCustomer()
  events(
    @Ctx() context: Context,
    @Root() { id }: Subscription,
    @Args(() => LatestArgs) latest: LatestArgs,
  ): Promise<Event[]> {
    return latestEvents(context, id, latest);
  }

  @FieldResolver(() => EventConnection, BY_CURSOR)
  @OfCustomer()
  eventsConnection(
    @Ctx() { db }: Context,
    @Root() { id }: Subscription,
    @Args(() => NestedEventsWindow) window: NestedEventsWindow,
  ): Promise<EventConnection> {
    return eventsOfObject.connection(db, id, window);
  }
}
