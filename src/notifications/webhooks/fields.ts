import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { EVENT_TYPES } from '../../events/types';
import { ApiError } from '../../platform/errors';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { WEB_ADDRESS } from '../../schema/patterns';
import { scalar } from '../../schema/scalars';
import { choice, Moment, Text, Values } from '../../schema/shapes';

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
    if (typeof value !== 'string') throw new ApiError('malformed', 'not_event_type');
    const eventType = EVENT_TYPES.find(type => type === value.trim().toLowerCase());
    if (!eventType) throw new ApiError('invalid_value', 'not_one_of', { values: EVENT_TYPES.join(', ') });
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
  @Moment('Since when nothing that was sent there has been accepted; null while it works', { nullable: true })
  failing_since!: Date | null;
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

@ArgsType()
export class WebhooksPage extends paged(Filters) {}

@ArgsType()
export class WebhooksWindow extends cursorPaged(Filters) {}

@ObjectType({ description: 'A window on the list of webhooks, newest first' })
export class WebhookConnection extends connectionOf(Webhook) {}
