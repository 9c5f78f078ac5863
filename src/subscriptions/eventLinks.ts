/** The events of a charge and of a subscription, nested in GraphQL: one statement for all objects of a request. */
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Transaction } from '../charges/fields';
import type { Context } from '../context';
import { batchedById } from '../database/batch';
import { Event } from '../events/fields';
import { EVENT_COLUMNS, type EventRow, toEvent } from '../events/list';
import { Subscription } from './fields';

const MAX_EVENTS = 100;

const loadLatestEvents = batchedById(async (db, ids: readonly string[]) => {
  const rows = await db.$queryRaw<EventRow[]>`
    select ${EVENT_COLUMNS} from (
      select *, row_number() over (partition by object_id order by xact desc, sequence desc) as recency from events
      where object_id = any(${[...ids]}::varchar[])) e
    where recency <= ${MAX_EVENTS} order by xact, sequence`;
  return ids.map(id => ({ id, events: rows.filter(({ object_id }) => object_id === id) }));
});

const latestEvents = async ({ db }: Context, id: string): Promise<Event[]> =>
  ((await loadLatestEvents(db, id))?.events ?? []).map(toEvent);

@Resolver(() => Transaction)
export class TransactionEventLinks {
  @FieldResolver(() => [Event], { description: 'Its latest hundred events, oldest first' })
  events(@Ctx() context: Context, @Root() { id }: Transaction): Promise<Event[]> {
    return latestEvents(context, id);
  }
}

@Resolver(() => Subscription)
export class SubscriptionEventLinks {
  @FieldResolver(() => [Event], { description: 'Its latest hundred events, oldest first' })
  events(@Ctx() context: Context, @Root() { id }: Subscription): Promise<Event[]> {
    return latestEvents(context, id);
  }
}
