/** What an operation takes besides its body: identifiers in its path, filters, the Idempotency-Key. */
import { type IdKind, idPattern } from '../../../platform/identifiers';
import { shapeOf } from '../../../schema/shapes';
import { fieldMetadataOf } from '../fieldMetadata';
import { queryName } from '../operation';
import type { Route } from '../routes';
import { type Json, reference } from './json';
import { valueSchema } from './properties';

/** The kind of resource that each name in a path identifies. */
const kinds: Readonly<Record<string, IdKind>> = {
  merchant_id: 'merchant',
  customer_id: 'customer',
  token_id: 'card',
  card_id: 'card',
  saved_card_id: 'card',
  transaction_id: 'transaction',
  fee_id: 'transaction',
  payout_id: 'transaction',
  plan_id: 'plan',
  subscription_id: 'subscription',
  event_id: 'event',
  webhook_id: 'webhook',
  delivery_id: 'delivery',
  key_id: 'key',
  session_id: 'session',
  device_id: 'device',
  fraud_rule_id: 'fraud_rule',
  settlement_id: 'settlement',
};

function patternOf(name: string): string {
  if (name === 'verification_code') return '^[0-9a-f]{16}$';
  const kind = kinds[name];
  if (!kind) throw new Error(`the path parameter ${name} has no kind`);
  return idPattern(kind);
}

const pathParameter = (name: string): Json => {
  const pattern = patternOf(name);
  const description = name.replaceAll('_', ' ');
  return { name, in: 'path', required: true, description, schema: { type: 'string', pattern } };
};

export const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'For 24 hours the same key and body again get the first answer; the same key with another body is 1003',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]([ -~]*[!-~])?$' },
};

function filtersOf({ field, path }: Route): Json[] {
  const { filters } = fieldMetadataOf(field);
  if (!filters) return [];
  const initial = new filters() as Json;
  // What the path says already is no filter.
  const shapes = [...shapeOf(filters).values()].filter(({ name }) => !path.split('/').includes(`:${name}`));
  return shapes.map(shape => {
    const { [shape.name]: usual } = initial;
    const schema = { ...valueSchema(shape, 'request'), ...(usual === undefined ? {} : { default: usual }) };
    const commas = shape.kind === 'choices' ? { explode: false } : {};
    return {
      name: queryName(shape.name),
      in: 'query',
      required: !shape.optional,
      description: shape.about,
      ...commas,
      schema,
    };
  });
}

export const parametersOf = (route: Route): Json[] => [
  ...['merchant_id', ...[...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)].map(pathParameter),
  ...filtersOf(route),
  ...(route.method === 'POST' ? [reference('IdempotencyKey', 'parameters')] : []),
];
