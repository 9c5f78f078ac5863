/** The events of a charge and of a subscription, nested in GraphQL: one statement for all objects of a request. */
import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { Prisma } from '../../prisma/generated/client';
import { Transaction } from '../charges/fields';
import type { Context } from '../context';
import { batched, groupBy } from '../database/batch';
import { Event } from '../events/fields';
import { EVENT_COLUMNS, type EventRow, toEvent } from '../events/list';
import { type BoundedRow, boundedRows, rejectCut } from '../schema/boundedList';
import { Subscription } from './fields';
import { LatestArgs } from './historyFields';

interface EventsRequest {
  id: string;
  first: number;
}

const keyOf = ({ id, first }: EventsRequest): string => `${id} ${first}`;

/** The latest events, oldest first. */
const loadLatestEvents = batched(
  async (db, wanted: readonly EventsRequest[]) => {
    const requests = [...new Map(wanted.map(request => [keyOf(request), request])).values()];
    const latest = Prisma.sql`
      select request as owner, ${EVENT_COLUMNS}, xact, sequence, octet_length(object::text) as bytes
      from unnest(${requests.map(keyOf)}::text[], ${requests.map(({ id }) => id)}::varchar[],
          ${requests.map(({ first }) => first)}::integer[]) as asked (request, asked_id, first),
        lateral (select * from events where object_id = asked_id order by xact desc, sequence desc limit first) event`;
    const rows = await db.$queryRaw<(EventRow & BoundedRow & { owner: string })[]>`
      select owner, ${EVENT_COLUMNS}, is_cut from (${boundedRows(latest)}) e order by xact, sequence`;
    const eventsByRequest = groupBy(rows, ({ owner }) => owner);
    return requests.map(request => ({ id: keyOf(request), events: eventsByRequest.get(keyOf(request)) ?? [] }));
  },
  keyOf,
  1000,
);

async function latestEvents({ db }: Context, id: string, { first }: LatestArgs): Promise<Event[]> {
  const { events = [] } = (await loadLatestEvents(db, { id, first })) ?? {};
  rejectCut(events);
  return events.map(toEvent);
}

@Resolver(() => Transaction)
export class TransactionEventLinks {
  @FieldResolver(() => [Event], { description: 'Its latest events, oldest first' })
  events(
    @Ctx() context: Context,
    @Root() { id }: Transaction,
    @Args(() => LatestArgs) latest: LatestArgs,
  ): Promise<Event[]> {
    return latestEvents(context, id, latest);
  }
}

@Resolver(() => Subscription)
export class SubscriptionEventLinks {
  @FieldResolver(() => [Event], { description: 'Its latest events, oldest first' })
  events(
    @Ctx() context: Context,
    @Root() { id }: Subscription,
    @Args(() => LatestArgs) latest: LatestArgs,
  ): Promise<Event[]> {
    return latestEvents(context, id, latest);
  }
}
