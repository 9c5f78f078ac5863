import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { ALL_EVENT_TYPES } from '../../events/types';
import { ApiError } from '../../platform/errors';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { scalar, TIME_SPECIFICATION, TIMESTAMP_OR_DAY } from '../../schema/scalars';
import { Count, choice, Flag, ListOf, Moment, Nested, Text, Value } from '../../schema/shapes';
import { isTimestamp, readTimestamp } from '../../schema/time';

export const DeliveryStatus = choice(
  'DeliveryStatus',
  'pending: before its first attempt has ended; retrying: after one that failed',
  'pending',
  'retrying',
  'delivered',
  'failed',
);

@ObjectType({ description: 'One attempt to deliver' })
export class DeliveryAttempt {
  @Count('Which one, from 1')
  number!: number;
  @Moment('When')
  date!: Date;
  @Count('The HTTP status of the answer', { nullable: true, example: 200 })
  status!: number | null;
  @Text('The first bytes of the answer', { nullable: true })
  answer!: string | null;
  @Text('Why there was no answer', { nullable: true })
  error!: string | null;
  @Count('How long it took, in milliseconds')
  duration!: number;
}

@ObjectType({ description: 'What was sent' })
export class DeliveryRequest {
  @Text('Where to', { rules: { format: 'uri' } })
  url!: string;
  @Text('The body, to the letter, but without the code of a verification')
  body!: string;
}

@ObjectType({ description: 'One event on its way to one webhook' })
export class Delivery {
  @Text('Unique identifier', { id: 'delivery', example: 'd9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Text('Which event', { id: 'event' })
  event_id!: string;
  @Text('Its type', { values: ALL_EVENT_TYPES, example: 'charge.succeeded' })
  event_type!: string;
  @DeliveryStatus.field('How it stands')
  status!: 'pending' | 'retrying' | 'delivered' | 'failed';
  @Moment('When it was created')
  creation_date!: Date;
  @Moment('When it is tried again', { nullable: true })
  next_attempt_date!: Date | null;
  @ListOf('The attempts so far', () => DeliveryAttempt)
  attempts!: DeliveryAttempt[];
  @Nested('What is sent', () => DeliveryRequest)
  request!: DeliveryRequest;
}

@ArgsType()
class DeliveryFilters extends Filters {
  @DeliveryStatus.field('Of this status', { optional: true })
  status?: 'pending' | 'retrying' | 'delivered' | 'failed';
  @Text('Of this event', { id: 'event', optional: true, max: 45 })
  event_id?: string;
}

@ArgsType()
export class DeliveriesPage extends paged(DeliveryFilters) {}

@ArgsType()
export class DeliveriesWindow extends cursorPaged(DeliveryFilters) {}

@ObjectType({ description: 'A window on the deliveries of a webhook, newest first' })
export class DeliveryConnection extends connectionOf(Delivery) {}

export const TimestampScalar = scalar<Date>({
  name: 'Timestamp',
  description: 'As 2026-11-14T18:50:00-05:00, or a day',
  specifiedBy: TIME_SPECIFICATION,
  parse: value => {
    if (typeof value !== 'string' || !isTimestamp(value)) throw new ApiError('malformed', 'not_time_or_day');
    const timestamp = readTimestamp(value);
    if (!timestamp) throw new ApiError('invalid_value', 'impossible_time');
    return timestamp;
  },
  serialize: value => value,
  accepts: TIMESTAMP_OR_DAY,
});

@InputType({ description: 'Which events are sent again' })
export class Redeliver {
  @Value('Of this moment or later', () => TimestampScalar, { example: '2026-11-14T00:00:00-05:00' })
  from!: Date;
  @Value('Of this moment or earlier; a day is its last second', () => TimestampScalar, { example: '2026-11-14' })
  to!: Date;
  @Flag('Also events that were written before the webhook was created', { optional: true })
  before_creation?: boolean;
}

@ObjectType({ description: 'How many events are on their way again' })
export class Redelivered {
  @Count('How many', { example: 42 })
  count!: number;
}
