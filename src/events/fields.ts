import { GraphQLString } from 'graphql';
import { GraphQLJSONObject } from 'graphql-scalars';
import { ArgsType, ObjectType } from 'type-graphql';
import { connectionOf } from '../schema/connections/connection';
import { cursorPaged } from '../schema/connections/window';
import { dottedEnum } from '../schema/enums/dottedEnum';
import { Filters, paged } from '../schema/list';
import { Moment, Text, Value, Values } from '../schema/shapes';
import { ALL_EVENT_TYPES, EVENTS } from './types';

export const EVENT_TYPE_WORDS = dottedEnum(
  'EventType',
  'Type of an event: its name in REST and webhooks, with _ for dots. New types may be added',
  Object.fromEntries(ALL_EVENT_TYPES.map(type => [type, EVENTS[type].occasion])),
);

type EventObject = Record<string, unknown>;

/** GraphQL has the typed `object` instead. */
const UNTYPED = { optional: true, untyped: true };

@ObjectType({ description: 'A change of state, with a snapshot of its object' })
export class Event {
  @Text('Unique identifier', { id: 'event', example: 'e9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Text('Event type', { values: ALL_EVENT_TYPES, words: EVENT_TYPE_WORDS, example: 'charge.succeeded' })
  type!: string;
  @Moment('Date and time of the event')
  event_date!: Date;
  @Text('ID of the object', { example: 't9s8d7f6g5h4j3k2l1q0' })
  object_id!: string;
  @Value('Snapshot of the transaction', () => GraphQLJSONObject, UNTYPED)
  transaction?: EventObject;
  @Value('Snapshot of the subscription', () => GraphQLJSONObject, UNTYPED)
  subscription?: EventObject;
  @Value('Snapshot of the settlement', () => GraphQLJSONObject, UNTYPED)
  settlement?: EventObject;
  @Value('The webhook of the event', () => GraphQLJSONObject, { optional: true })
  webhook?: EventObject;
  @Value('The exceeded limit', () => GraphQLJSONObject, { optional: true })
  alert?: EventObject;
  @Value('The e-mail to a payer', () => GraphQLJSONObject, { optional: true })
  email?: EventObject;
  @Value('Snapshot of the merchant', () => GraphQLJSONObject, { optional: true })
  merchant?: EventObject;
}

const TYPE_FILTER = { optional: true, max: 50, values: ALL_EVENT_TYPES };

function eventFilters(Type: PropertyDecorator) {
  @ArgsType()
  class EventFilters extends Filters {
    @Type
    type?: string;
    @Text('ID of the transaction or subscription', { optional: true, max: 45 })
    object_id?: string;
  }
  return EventFilters;
}

export interface EventFilters extends Filters {
  type?: string;
  object_id?: string;
}

@ArgsType()
export class EventsArgs extends paged(eventFilters(Text('Event type', TYPE_FILTER))) {
  @Text('Return events after this event ID, oldest first', { id: 'event', optional: true, max: 45 })
  after?: string;
}

@ArgsType()
export class EventsConnectionArgs extends cursorPaged(
  eventFilters(Text('Event type', { ...TYPE_FILTER, words: EVENT_TYPE_WORDS })),
) {}

@ObjectType({ description: 'A page of events, most recent first' })
export class EventConnection extends connectionOf(Event) {}

@ArgsType()
export class LiveFilters {
  @Values('Event types; omit for all', () => GraphQLString, { optional: true, max: 50, words: EVENT_TYPE_WORDS })
  types?: string[];
  @Text('ID of the transaction or subscription', { optional: true, max: 45 })
  object_id?: string;
  @Text('Resume after this event ID, so that no event is lost', { optional: true, max: 45 })
  after?: string;
}
