import { Args, Ctx, Query, Resolver, Root, Subscription } from 'type-graphql';
import { Id } from '../schema/arguments';
import type { Context } from '../schema/operation/context';
import { Event, EventConnection, EventsArgs, EventsConnectionArgs, LiveFilters } from './fields';
import { eventConnection, findEvent, listEvents, toEvent } from './list';
import { liveEvents } from './live';
import type { EventRow } from './rows';

@Resolver()
export class EventResolver {
  @Query(() => Event, { description: 'One event' })
  async event(@Ctx() context: Context, @Id('event_id', 'event') event_id: string): Promise<Event> {
    return toEvent(await findEvent(context, event_id));
  }

  @Query(() => [Event], {
    description: 'Events, most recently written first; with `after`, the later events, oldest first',
  })
  async events(@Ctx() context: Context, @Args(() => EventsArgs) page: EventsArgs): Promise<Event[]> {
    return listEvents(context, page);
  }

  @Query(() => EventConnection, { description: 'Events, most recently written first' })
  async eventsConnection(
    @Ctx() context: Context,
    @Args(() => EventsConnectionArgs) window: EventsConnectionArgs,
  ): Promise<EventConnection> {
    return eventConnection(context, window);
  }

  @Subscription(() => Event, {
    name: 'events',
    description: 'Events as they happen',
    subscribe: ({ args, context }: { args: LiveFilters; context: Context }) => liveEvents(context, args),
  })
  liveEvents(@Root() event: EventRow, @Args(() => LiveFilters) _: LiveFilters): Event {
    return toEvent(event);
  }
}
