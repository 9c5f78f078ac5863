/** The events of a charge and of a subscription, nested in GraphQL: one statement for all objects of a request. */
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Prisma } from '../../prisma/generated/client';
import { Transaction } from '../charges/fields';
import type { Context } from '../context';
import { batchedById } from '../database/batch';
import { Event } from '../events/fields';
import { EVENT_COLUMNS, type EventRow, toEvent } from '../events/list';
import { type BoundedRow, boundedRows, rejectCut } from '../schema/boundedList';
import { Subscription } from './fields';

const MAX_EVENTS = 100;

const loadLatestEvents = batchedById(async (db, ids: readonly string[]) => {
  const latest = Prisma.sql`
    select ${EVENT_COLUMNS}, xact, sequence, object_id as owner, octet_length(object::text) as bytes from (
      select *, row_number() over (partition by object_id order by xact desc, sequence desc) as recency from events
      where object_id = any(${[...ids]}::varchar[])) e
    where recency <= ${MAX_EVENTS}`;
  const rows = await db.$queryRaw<(EventRow & BoundedRow)[]>`
    select ${EVENT_COLUMNS}, is_cut from (${boundedRows(latest)}) e order by xact, sequence`;
  return ids.map(id => ({ id, events: rows.filter(({ object_id }) => object_id === id) }));
});

async function latestEvents({ db }: Context, id: string): Promise<Event[]> {
  const { events = [] } = (await loadLatestEvents(db, id)) ?? {};
  rejectCut(events);
  return events.map(toEvent);
}

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
