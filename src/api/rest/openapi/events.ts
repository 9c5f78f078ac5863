/** Event schemas by subject, as GET /events returns them and as webhooks receive them. */
import { PayerEmail } from '../../../accounts/merchants/fields';
import { Event } from '../../../events/fields';
import { EVENT_TYPES, EVENTS, type EventSubject, type EventType } from '../../../events/types';
import { VERIFICATION_CODE_PATTERN } from '../../../notifications/webhooks/rows';
import { type IdKind, idPattern } from '../../../platform/identifiers';
import { type Shape, shapeOf } from '../../../schema/shapes';
import { type Json, reference } from './json';
import { property } from './properties';

const typesOf = (subject: EventSubject): EventType[] => EVENT_TYPES.filter(type => EVENTS[type].subject === subject);

const isOfPayout = (type: EventType): boolean => type.startsWith('payout.');

const VERIFICATION_CODE = {
  type: 'string',
  pattern: VERIFICATION_CODE_PATTERN,
  description: 'Code that verifies the webhook; not needed after a 2xx response',
};
const object = (properties: Record<string, Json>): Json => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

const ALERT = object({
  limit: { type: 'string', enum: ['declined_cards'], description: 'Name of the exceeded limit' },
  origin: {
    type: 'string',
    enum: ['page', 'token', 'session', 'server'],
    description: 'Origin of the cards: payment pages, tokens from browsers, sessions, or the server of the merchant',
  },
  scope: { type: 'string', enum: ['merchant', 'device', 'address', 'card_range'], description: 'Scope of the limit' },
  value: {
    type: ['string', 'null'],
    description: 'The device_session_id, IP address, or first digits of the card numbers',
  },
  per_hour: { type: 'integer', description: 'Allowed declined cards per hour' },
  until: { type: 'string', format: 'date-time', description: 'End of the block' },
});

const EMAIL = object({
  id: {
    type: 'string',
    pattern: idPattern('email'),
    description: 'E-mail ID, the part of its Message-ID before the @',
  },
  kind: {
    type: 'string',
    enum: [...Object.keys(PayerEmail.words), 'payment', 'payment_link'],
    description: 'Kind of the e-mail',
  },
  recipient: { type: 'string', description: 'Masked e-mail address', examples: ['m•••@example.com'] },
  object_id: { type: 'string', pattern: idPattern(), description: 'The transaction, subscription or payment link' },
  customer_id: {
    type: ['string', 'null'],
    pattern: idPattern('customer'),
    description: 'Customer ID; null for payers at merchant level',
  },
});

const MERCHANT = object({
  id: { type: 'string', pattern: idPattern('merchant') },
  status: { type: 'string', enum: ['active', 'suspended'] },
  suspended_at: { type: ['string', 'null'], format: 'date-time', description: 'Date of the suspension' },
  suspension_reason: { type: ['string', 'null'], description: 'Reason for the suspension' },
});

interface EventKind {
  name: string;
  types: readonly EventType[];
  about: IdKind;
  /** Members of the stored event; `sends` overrides them in messages to webhooks. */
  carries: Record<string, Json>;
  sends?: Record<string, Json>;
}

export const eventKinds: readonly EventKind[] = [
  {
    name: 'Transaction',
    types: typesOf('transaction').filter(type => !isOfPayout(type)),
    about: 'transaction',
    carries: { transaction: reference('Transaction') },
  },
  {
    name: 'Payout',
    types: typesOf('transaction').filter(isOfPayout),
    about: 'transaction',
    carries: { transaction: reference('Payout') },
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
  { name: 'Email', types: typesOf('email'), about: 'email', carries: { email: EMAIL } },
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
  const type = { type: 'string', enum: types, description: 'Event type', examples: [types[0]] };
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

/** The schema `Event` and its variants, and the same for messages, which have no object_id. */
export const eventSchemas: Record<string, Json> = {
  Event: { description: 'A change of state, with a snapshot of its object', ...oneOf(names, 'Event') },
  ...Object.fromEntries(
    eventKinds.map(kind => {
      const object_id = { type: 'string', pattern: idPattern(kind.about), description: 'ID of the object' };
      return [`${kind.name}Event`, envelope(kind, { object_id, ...kind.carries })];
    }),
  ),
  Message: { description: 'Body of a webhook request', ...oneOf(names, 'Message') },
  ...Object.fromEntries(eventKinds.map(kind => [`${kind.name}Message`, envelope(kind, kind.sends ?? kind.carries)])),
};
