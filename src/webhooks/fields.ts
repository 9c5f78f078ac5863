import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { ALL_TYPES, EVENT_TYPES } from '../events/types';
import { ApiError } from '../platform/errors';
import { Filters, paged } from '../schema/list';
import { WEB_ADDRESS } from '../schema/patterns';
import { scalar, TIMESTAMP_OR_DAY } from '../schema/scalars';
import { Count, choice, Flag, ListOf, Moment, Nested, Text, Value, Values } from '../schema/shapes';
import { isTimestamp, readTimestamp } from '../schema/time';

const SECRET = { pattern: '^whsec_[0-9a-f]{48}$' };

const WebhookStatus = choice(
  'WebhookStatus',
  'Only a verified webhook gets events; one that fails for three days is disabled',
  'unverified',
  'verified',
  'disabled',
);

const EventTypeScalar = scalar<string>({
  name: 'EventType',
  description: `One of ${EVENT_TYPES.join(', ')}`,
  parse: value => {
    if (typeof value !== 'string') throw new ApiError('malformed', 'is not a type of event');
    const eventType = EVENT_TYPES.find(type => type === value.trim().toLowerCase());
    if (!eventType) throw new ApiError('invalid_value', `must be one of ${EVENT_TYPES.join(', ')}`);
    return eventType;
  },
  serialize: String,
  accepts: { type: 'string', enum: EVENT_TYPES },
});

@ObjectType({ description: 'An address at which the merchant learns of events' })
export class Webhook {
  @Text('Unique identifier', { id: 'webhook', example: 'w9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Text('Where events are sent', { rules: { format: 'uri' }, example: 'https://shop.example/webhook' })
  url!: string;
  @Text('User of Basic authentication there', { nullable: true })
  user!: string | null;
  @Values('Which events; none: all', () => EventTypeScalar, { example: ['charge.succeeded'] })
  event_types!: string[];
  @WebhookStatus.field('How it stands')
  status!: 'unverified' | 'verified' | 'disabled';
  @Moment('When it was created')
  creation_date!: Date;
  @Text('What deliveries are signed with; shown once', { optional: true, rules: SECRET })
  secret?: string;
}

const ADDRESS = {
  max: 2048,
  rules: { format: 'uri', pattern: WEB_ADDRESS },
  example: 'https://shop.example/webhook',
};

@InputType({ description: 'What a webhook has besides its address' })
class WebhookSettings {
  @Text('User of Basic authentication there', {
    optional: true,
    max: 255,
    rules: { pattern: '^[^:\\u0000-\\u001f\\u007f-\\u009f]*$' },
  })
  user?: string;
  @Text('Its password', { optional: true, max: 255, rules: { pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' } })
  password?: string;
  @Values('Which events; none: all', () => EventTypeScalar, { optional: true, max: 50, example: ['charge.succeeded'] })
  event_types?: string[];
}

@InputType({ description: 'Where events are sent' })
export class CreateWebhook extends WebhookSettings {
  @Text('An https address; in the sandbox http too', ADDRESS)
  url!: string;
}

@InputType({ description: 'What a webhook is changed to; what is left out stays, and an empty text is taken away' })
export class UpdateWebhook extends WebhookSettings {
  @Text('An https address; in the sandbox http too. Another one has to be verified', { optional: true, ...ADDRESS })
  url?: string;
}

@ObjectType({ description: 'The new secret; shown once' })
export class RotatedSecret {
  @Text('What deliveries are signed with from now on; the old one signs too for a day', { rules: SECRET })
  secret!: string;
}

const DeliveryStatus = choice(
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
  @Text('Its type', { values: ALL_TYPES, example: 'charge.succeeded' })
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

const TimestampScalar = scalar<Date>({
  name: 'Timestamp',
  description: 'As 2026-11-14T18:50:00-05:00, or a day',
  parse: value => {
    if (typeof value !== 'string' || !isTimestamp(value))
      throw new ApiError('malformed', 'is not a timestamp or a day');
    const timestamp = readTimestamp(value);
    if (!timestamp) throw new ApiError('invalid_value', 'is a day or a time that does not exist');
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
