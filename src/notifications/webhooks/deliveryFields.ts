import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { EVENT_TYPE_WORDS } from '../../events/fields';
import { ALL_EVENT_TYPES } from '../../events/types';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { TimestampScalar } from '../../schema/scalars';
import { Count, choice, Flag, ListOf, Moment, Nested, Text, Value } from '../../schema/shapes';

export const DeliveryStatus = choice(
  'DeliveryStatus',
  'pending: waiting for the first attempt; retrying: after a failed attempt',
  'pending',
  'retrying',
  'delivered',
  'failed',
);

@ObjectType({ description: 'An attempt to deliver an event' })
export class DeliveryAttempt {
  @Count('Number of the attempt, from 1')
  number!: number;
  @Moment('Date and time')
  date!: Date;
  @Count('HTTP status of the response', { nullable: true, example: 200 })
  status!: number | null;
  @Text('First bytes of the response', { nullable: true })
  answer!: string | null;
  @Text('Reason for the missing response', { nullable: true })
  error!: string | null;
  @Count('Duration in milliseconds')
  duration!: number;
}

@ObjectType({ description: 'The delivered HTTP request' })
export class DeliveryRequest {
  @Text('URL of the request', { rules: { format: 'uri' } })
  url!: string;
  @Text('Exact body of the request, without the code of a verification')
  body!: string;
}

@ObjectType({ description: 'The delivery of an event to a webhook' })
export class Delivery {
  @Text('Unique identifier', { id: 'delivery', example: 'd9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Text('Event ID', { id: 'event' })
  event_id!: string;
  @Text('Event type', { values: ALL_EVENT_TYPES, words: EVENT_TYPE_WORDS, example: 'charge.succeeded' })
  event_type!: string;
  @DeliveryStatus.field('Status')
  status!: 'pending' | 'retrying' | 'delivered' | 'failed';
  @Moment('Creation date')
  creation_date!: Date;
  @Moment('Date of the next attempt', { nullable: true })
  next_attempt_date!: Date | null;
  @ListOf('Attempts', () => DeliveryAttempt)
  attempts!: DeliveryAttempt[];
  @Nested('HTTP request', () => DeliveryRequest)
  request!: DeliveryRequest;
}

@ArgsType()
class DeliveryFilters extends Filters {
  @DeliveryStatus.field('Status', { optional: true })
  status?: 'pending' | 'retrying' | 'delivered' | 'failed';
  @Text('Event ID', { id: 'event', optional: true, max: 45 })
  event_id?: string;
}

@ArgsType()
export class DeliveriesArgs extends paged(DeliveryFilters) {}

@ArgsType()
export class DeliveriesConnectionArgs extends cursorPaged(DeliveryFilters) {}

@ObjectType({ description: 'A page of deliveries of a webhook, newest first' })
export class DeliveryConnection extends connectionOf(Delivery) {}

@InputType({ description: 'A range of events to redeliver' })
export class Redeliver {
  @Value('Start of the range, inclusive', () => TimestampScalar, { example: '2026-11-14T00:00:00-05:00' })
  from!: Date;
  @Value('End of the range, inclusive; a date means its last second', () => TimestampScalar, { example: '2026-11-14' })
  to!: Date;
  @Flag('Whether to include events from before the creation of the webhook', { optional: true })
  before_creation?: boolean;
}

@ObjectType({ description: 'Result of a redelivery' })
export class Redelivered {
  @Count('Number of redelivered events', { example: 42 })
  count!: number;
}
