/** The events of a charge and of a subscription, nested in GraphQL: one statement for all that are asked for together. */
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Transaction } from '../charges/fields';
import type { Context } from '../context';
import { batchedById } from '../database/batch';
import { Event } from '../events/fields';
import { EVENT_COLUMNS, type EventRow, toEvent } from '../events/list';
import { Subscription } from '../subscriptions/fields';

const MAX_EVENTS = 100;

const eventsOf = batchedById(async (db, ids: readonly string[]) => {
  const rows = await db.$queryRaw<EventRow[]>`
    select ${EVENT_COLUMNS} from (
      select *, row_number() over (partition by object_id order by xact desc, sequence desc) as place from events
      where object_id = any(${[...ids]}::varchar[])) e
    where place <= ${MAX_EVENTS} order by xact, sequence`;
  return ids.map(id => ({ id, events: rows.filter(({ object_id }) => object_id === id) }));
});

const shownEvents = async ({ db }: Context, id: string): Promise<Event[]> =>
  ((await eventsOf(db, id))?.events ?? []).map(toEvent);

@Resolver(() => Transaction)
export class EventEdges {
  @FieldResolver(() => [Event], { description: 'Its latest hundred events, oldest first' })
  events(@Ctx() context: Context, @Root() { id }: Transaction): Promise<Event[]> {
    return shownEvents(context, id);
  }
}

@Resolver(() => Subscription)
export class SubscriptionEventEdges {
  @FieldResolver(() => [Event], { description: 'Its latest hundred events, oldest first' })
  events(@Ctx() context: Context, @Root() { id }: Subscription): Promise<Event[]> {
    return shownEvents(context, id);
  }
}
