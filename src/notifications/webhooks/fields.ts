import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { EVENT_TYPE_WORDS } from '../../events/fields';
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
  'Status of a webhook: only verified webhooks receive events',
  'unverified',
  'verified',
  'disabled',
);

const DisabledReason = choice(
  'WebhookDisabledReason',
  'Reason for disabling a webhook: no successful delivery for three days, or a response 410 Gone of its endpoint',
  'failing',
  'gone',
);

/** REST reads event types with it; GraphQL has the enum. */
const SubscribableType = scalar<string>({
  name: 'SubscribableType',
  description: 'An event type that a webhook can subscribe to',
  parse: value => {
    if (typeof value !== 'string') throw new ApiError('malformed', 'not_event_type');
    const eventType = EVENT_TYPES.find(type => type === value.trim().toLowerCase());
    if (!eventType) throw new ApiError('invalid_value', 'not_one_of', { values: EVENT_TYPES.join(', ') });
    return eventType;
  },
  serialize: String,
  accepts: { type: 'string', enum: EVENT_TYPES },
});

@ObjectType({ description: 'An endpoint that receives events' })
export class Webhook {
  @Text('Unique identifier', { id: 'webhook', example: 'w9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Text('URL that receives events', { rules: { format: 'uri' }, example: 'https://shop.example/webhook' })
  url!: string;
  @Text('User name for Basic authentication', { nullable: true })
  user!: string | null;
  @Values('Subscribed event types; empty for all', () => SubscribableType, {
    words: EVENT_TYPE_WORDS,
    example: ['charge.succeeded'],
  })
  event_types!: string[];
  @WebhookStatus.field('Status')
  status!: 'unverified' | 'verified' | 'disabled';
  @Moment('Creation date')
  creation_date!: Date;
  @Moment('Date since which every delivery has failed; null while deliveries succeed', { nullable: true })
  failing_since!: Date | null;
  @DisabledReason.field('Reason for which the webhook is disabled, or null', { nullable: true })
  disabled_reason!: 'failing' | 'gone' | null;
  @Text('Signing secret; returned only once', { optional: true, rules: SECRET })
  secret?: string;
}

const ADDRESS = {
  max: 2048,
  rules: { format: 'uri', pattern: WEB_ADDRESS },
  example: 'https://shop.example/webhook',
};

@InputType({ description: 'Settings of a webhook' })
class WebhookSettings {
  @Text('User name for Basic authentication', {
    optional: true,
    max: 255,
    rules: { pattern: '^[^:\\u0000-\\u001f\\u007f-\\u009f]*$' },
  })
  user?: string;
  @Text('Password for Basic authentication', {
    optional: true,
    max: 255,
    rules: { pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
  })
  password?: string;
  @Values('Subscribed event types; empty for all', () => SubscribableType, {
    optional: true,
    max: 50,
    values: EVENT_TYPES,
    words: EVENT_TYPE_WORDS,
    example: ['charge.succeeded'],
  })
  event_types?: string[];
}

@InputType({ description: 'A new webhook' })
export class CreateWebhook extends WebhookSettings {
  @Text('URL with https, or http in the sandbox', ADDRESS)
  url!: string;
}

@InputType({ description: 'Changes to a webhook; omitted fields are unchanged, and an empty string clears a field' })
export class UpdateWebhook extends WebhookSettings {
  @Text('URL with https, or http in the sandbox. A new URL must be verified', { optional: true, ...ADDRESS })
  url?: string;
}

@ObjectType({ description: 'The new signing secret, returned only once' })
export class RotatedSecret {
  @Text('New signing secret; the old secret also signs for 24 hours', { rules: SECRET })
  secret!: string;
}

@ArgsType()
export class WebhooksArgs extends paged(Filters) {}

@ArgsType()
export class WebhooksConnectionArgs extends cursorPaged(Filters) {}

@ObjectType({ description: 'A page of webhooks, newest first' })
export class WebhookConnection extends connectionOf(Webhook) {}
