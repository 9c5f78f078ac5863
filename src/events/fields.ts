import { GraphQLString } from 'graphql';
import { GraphQLJSONObject } from 'graphql-scalars';
import { ArgsType, ObjectType } from 'type-graphql';
import { connectionOf } from '../schema/connections/connection';
import { cursorPaged } from '../schema/connections/window';
import { Filters, paged } from '../schema/list';
import { Moment, Text, Value, Values } from '../schema/shapes';
import { ALL_EVENT_TYPES } from './types';

type EventObject = Record<string, unknown>;

/** GraphQL has the typed `object` instead. */
const UNTYPED = { optional: true, untyped: true };

@ObjectType({ description: 'Something that happened, with the object as it was then' })
export class Event {
  @Text('Unique identifier', { id: 'event', example: 'e9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Text('What happened', { values: ALL_EVENT_TYPES, example: 'charge.succeeded' })
  type!: string;
  @Moment('When')
  event_date!: Date;
  @Text('What it happened to', { example: 't9s8d7f6g5h4j3k2l1q0' })
  object_id!: string;
  @Value('The transaction, as it was then', () => GraphQLJSONObject, UNTYPED)
  transaction?: EventObject;
  @Value('The subscription, as it was then', () => GraphQLJSONObject, UNTYPED)
  subscription?: EventObject;
  @Value('The settlement', () => GraphQLJSONObject, UNTYPED)
  settlement?: EventObject;
  @Value('The webhook that it is about', () => GraphQLJSONObject, { optional: true })
  webhook?: EventObject;
  @Value('The limit that was reached', () => GraphQLJSONObject, { optional: true })
  alert?: EventObject;
  @Value('The merchant itself, as it was then', () => GraphQLJSONObject, { optional: true })
  merchant?: EventObject;
}

@ArgsType()
export class EventFilters extends Filters {
  @Text('Of this type', { optional: true, max: 50, values: ALL_EVENT_TYPES })
  type?: string;
  @Text('Of this transaction or subscription', { optional: true, max: 45 })
  object_id?: string;
}

@ArgsType()
export class EventsPage extends paged(EventFilters) {
  @Text('Oldest first, from after this event on: for catching up', { id: 'event', optional: true, max: 45 })
  after?: string;
}

@ArgsType()
export class EventsWindow extends cursorPaged(EventFilters) {}

@ObjectType({ description: 'A window on a list of events, the last written first' })
export class EventConnection extends connectionOf(Event) {}

@ArgsType()
export class LiveFilters {
  @Values('Of these types; none: all', () => GraphQLString, { optional: true, max: 50 })
  types?: string[];
  @Text('Of this transaction or subscription', { optional: true, max: 45 })
  object_id?: string;
  @Text('From after this event on, so that a break loses nothing', { optional: true, max: 45 })
  after?: string;
}
