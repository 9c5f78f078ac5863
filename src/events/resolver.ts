import { Args, Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../context';
import { Id } from '../schema/arguments';
import { Event, EventsPage } from './fields';
import { findEvent, listEvents, shownEvent } from './list';

@Resolver()
export class EventResolver {
  @Query(() => Event, { description: 'One event' })
  async event(@Ctx() context: Context, @Id('event_id', 'Which event') event_id: string): Promise<Event> {
    return shownEvent(await findEvent(context, event_id));
  }

  @Query(() => [Event], { description: 'Events, newest first; with `after` oldest first from there, for catching up' })
  async events(@Ctx() context: Context, @Args(() => EventsPage) page: EventsPage): Promise<Event[]> {
    return listEvents(context, page);
  }
}
