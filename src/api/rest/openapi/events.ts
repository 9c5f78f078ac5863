/** Events by what they are about: as GET /events answers them, and as webhooks get them. */
import { Event } from '../../../events/fields';
import { EVENT_TYPES, EVENTS, type EventSubject, type EventType } from '../../../events/types';
import { VERIFICATION_CODE_PATTERN } from '../../../notifications/webhooks/rows';
import { type IdKind, idPattern } from '../../../platform/identifiers';
import { type Shape, shapeOf } from '../../../schema/shapes';
import { type Json, reference } from './json';
import { property } from './properties';

const typesOf = (subject: EventSubject): EventType[] => EVENT_TYPES.filter(type => EVENTS[type].subject === subject);

const VERIFICATION_CODE = {
  type: 'string',
  pattern: VERIFICATION_CODE_PATTERN,
  description: 'What verifies the webhook, where its address did not do so by answering with 2xx',
};
const object = (properties: Record<string, Json>): Json => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

const ALERT = object({
  limit: { type: 'string', enum: ['declined_cards'], description: 'What there were too many of' },
  scope: { type: 'string', enum: ['merchant', 'device', 'address', 'card_range'], description: 'Where they came from' },
  value: {
    type: ['string', 'null'],
    description: 'The device_session_id, the address, or the first digits of the card numbers',
  },
  per_hour: { type: 'integer', description: 'How many there may be' },
  until: { type: 'string', format: 'date-time', description: 'Until when they are refused' },
});

const MERCHANT = object({
  id: { type: 'string', pattern: idPattern('merchant') },
  status: { type: 'string', enum: ['active', 'suspended'] },
  suspended_at: { type: ['string', 'null'], format: 'date-time', description: 'Since when it is suspended' },
  suspension_reason: { type: ['string', 'null'], description: 'Why it is' },
});

interface EventKind {
  name: string;
  types: readonly EventType[];
  about: IdKind;
  /** What it carries, and what of that is sent where the two differ. */
  carries: Record<string, Json>;
  sends?: Record<string, Json>;
}

export const eventKinds: readonly EventKind[] = [
  {
    name: 'Transaction',
    types: typesOf('transaction'),
    about: 'transaction',
    carries: { transaction: reference('Transaction') },
  },
  {
    name: 'Subscription',
    types: typesOf('subscription'),
    about: 'subscription',
    carries: { subscription: reference('Subscription') },
  },
  {
    name: 'Settlement',
    types: typesOf('settlement'),
    about: 'settlement',
    carries: { settlement: reference('Settlement') },
  },
  { name: 'Webhook', types: typesOf('webhook'), about: 'webhook', carries: { webhook: reference('Webhook') } },
  { name: 'Merchant', types: typesOf('merchant'), about: 'merchant', carries: { merchant: MERCHANT } },
  { name: 'Alert', types: typesOf('alert'), about: 'merchant', carries: { alert: ALERT } },
  {
    name: 'Verification',
    types: ['verification'],
    about: 'webhook',
    carries: { webhook: object({ id: { type: 'string', pattern: idPattern('webhook') } }) },
    sends: { verification_code: VERIFICATION_CODE },
  },
  {
    name: 'Test',
    types: ['test'],
    about: 'webhook',
    carries: { webhook: object({ id: { type: 'string', pattern: idPattern('webhook') } }) },
  },
];

const shared = (name: string): Json => property(shapeOf(Event).get(name) as Shape, 'answer');

function envelope({ types }: EventKind, more: Record<string, Json>): Json {
  const type = { type: 'string', enum: types, description: 'What happened', examples: [types[0]] };
  return object({ id: shared('id'), type, event_date: shared('event_date'), ...more });
}

const oneOf = (names: readonly string[], ending: string): Json => ({
  oneOf: names.map(name => reference(`${name}${ending}`)),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(
      eventKinds.flatMap(({ name, types }) => types.map(type => [type, `#/components/schemas/${name}${ending}`])),
    ),
  },
});

const names = eventKinds.map(({ name }) => name);

/**
 * The schema `Event`, and what it is one of; the same for what is sent, which does not repeat the identifier of its
 * object.
 */
export const eventSchemas: Record<string, Json> = {
  Event: { description: 'Something that happened, with the object as it was then', ...oneOf(names, 'Event') },
  ...Object.fromEntries(
    eventKinds.map(kind => {
      const object_id = { type: 'string', pattern: idPattern(kind.about), description: 'What it happened to' };
      return [`${kind.name}Event`, envelope(kind, { object_id, ...kind.carries })];
    }),
  ),
  Message: { description: 'What is sent to a webhook', ...oneOf(names, 'Message') },
  ...Object.fromEntries(eventKinds.map(kind => [`${kind.name}Message`, envelope(kind, kind.sends ?? kind.carries)])),
};
