/** Responses of operations: statuses, headers and bodies. */
import { fieldMetadataOf } from '../fieldMetadata';
import { hasNoResponseBody } from '../operation';
import type { Route } from '../routes';
import { content, type Json, reference } from './json';

const textHeader = (description: string, schema: Json = { type: 'string' }): Json => ({ description, schema });

export const headers: Record<string, Json> = {
  RequestId: textHeader('Request ID, also in the request_id of errors', { type: 'string', format: 'uuid' }),
  Location: textHeader('Path of the created resource', { type: 'string', format: 'uri-reference' }),
  ResourceId: textHeader('ID of the created resource'),
  Vary: textHeader('Always Accept, because the format depends on it'),
  IdempotentReplayed: textHeader('Present if this is a stored response to the same Idempotency-Key', {
    type: 'string',
    const: 'true',
  }),
  WwwAuthenticate: textHeader('Authentication scheme', { type: 'string', const: 'Basic realm="recaudo"' }),
  RetryAfter: textHeader('Seconds to wait before a retry', { type: 'string', pattern: '^[0-9]+$' }),
};

const ALWAYS = { 'Request-Id': reference('RequestId', 'headers') };
const REPEATED = { 'Idempotent-Replayed': reference('IdempotentReplayed', 'headers') };
const VARIED = { Vary: reference('Vary', 'headers') };
const CREATED = { Location: reference('Location', 'headers'), 'Resource-Id': reference('ResourceId', 'headers') };

const refused = (description: string, more: Json = {}): Json => ({
  description,
  headers: { ...ALWAYS, ...more },
  content: content(reference('Error')),
});

export const refusals: Record<string, Json> = {
  Refused: refused('Error', REPEATED),
  Unauthenticated: refused('The API key is missing or invalid', {
    'WWW-Authenticate': reference('WwwAuthenticate', 'headers'),
  }),
  TooMany: refused('Too many requests', { 'Retry-After': reference('RetryAfter', 'headers') }),
  Unavailable: refused('Temporarily unavailable; the request can be retried', {
    'Retry-After': reference('RetryAfter', 'headers'),
  }),
};

function success(route: Route): Json {
  const { answer, isList } = fieldMetadataOf(route.field);
  const whole = hasNoResponseBody(route) ? undefined : reference(answer.name);
  const shown = route.empty ? { type: 'object', maxProperties: 0 } : whole;
  const mayBeCsv = route.streams || (isList && route.method === 'GET');
  const responseHeaders = {
    ...ALWAYS,
    ...(route.method === 'POST' ? REPEATED : {}),
    ...(route.creates ? CREATED : {}),
    ...(mayBeCsv ? VARIED : {}),
  };
  if (!shown) return { 204: { description: 'Success', headers: responseHeaders } };
  const csv = mayBeCsv ? { 'text/csv': { schema: { type: 'string' } } } : {};
  const body = { ...content(isList ? { type: 'array', items: shown } : shown), ...csv };
  const later = {
    description: 'In progress; retry the same request to wait for the result',
    headers: ALWAYS,
    content: body,
  };
  return {
    [route.creates ? 201 : 200]: { description: 'Success', headers: responseHeaders, content: body },
    ...(route.waits ? { 202: later } : {}),
  };
}

export const responsesOf = (route: Route): Json => ({
  ...success(route),
  401: reference('Unauthenticated', 'responses'),
  429: reference('TooMany', 'responses'),
  503: reference('Unavailable', 'responses'),
  default: reference('Refused', 'responses'),
});
