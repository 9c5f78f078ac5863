/** The responses of an operation: statuses, headers and bodies. */
import { fieldMetadataOf } from '../fieldMetadata';
import { answersNothing } from '../operation';
import type { Route } from '../routes';
import { content, type Json, reference } from './json';

const textHeader = (description: string, schema: Json = { type: 'string' }): Json => ({ description, schema });

export const headers: Record<string, Json> = {
  RequestId: textHeader('Names this request, in an error its request_id too', { type: 'string', format: 'uuid' }),
  Location: textHeader('The path of what was created', { type: 'string', format: 'uri-reference' }),
  ResourceId: textHeader('The identifier of what was created'),
  Vary: textHeader('The answer is JSON or CSV, as the request has it in Accept'),
  IdempotentReplayed: textHeader('There where this is the first answer to the same Idempotency-Key, once more', {
    type: 'string',
    const: 'true',
  }),
  WwwAuthenticate: textHeader('How to authenticate', { type: 'string', const: 'Basic realm="recaudo"' }),
  RetryAfter: textHeader('After how many seconds it is worth trying again', { type: 'string', pattern: '^[0-9]+$' }),
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
  Refused: refused('Refused', REPEATED),
  Unauthenticated: refused('The API key is missing or not valid', {
    'WWW-Authenticate': reference('WwwAuthenticate', 'headers'),
  }),
  TooMany: refused('Too many requests of this kind', { 'Retry-After': reference('RetryAfter', 'headers') }),
  Unavailable: refused('Not possible at the moment; nothing is known to have been done', {
    'Retry-After': reference('RetryAfter', 'headers'),
  }),
};

function success(route: Route): Json {
  const { answer, isList } = fieldMetadataOf(route.field);
  const whole = answersNothing(route) ? undefined : reference(answer.name);
  const shown = route.empty ? { type: 'object', maxProperties: 0 } : whole;
  const mayBeCsv = route.streams || (isList && route.method === 'GET');
  const responseHeaders = {
    ...ALWAYS,
    ...(route.method === 'POST' ? REPEATED : {}),
    ...(route.creates ? CREATED : {}),
    ...(mayBeCsv ? VARIED : {}),
  };
  if (!shown) return { 204: { description: 'Done', headers: responseHeaders } };
  const csv = mayBeCsv ? { 'text/csv': { schema: { type: 'string' } } } : {};
  const body = { ...content(isList ? { type: 'array', items: shown } : shown), ...csv };
  const later = { description: 'Not done yet; the same request again waits on', headers: ALWAYS, content: body };
  return {
    [route.creates ? 201 : 200]: { description: 'Done', headers: responseHeaders, content: body },
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
