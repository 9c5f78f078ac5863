/** Requests that webhooks receive, one entry per event type. */
import { EVENTS } from '../../../events/types';
import { eventKinds } from './events';
import { content, type Json, reference } from './json';

const SIGNATURE =
  't=<unix seconds>,v1=<hex>: HMAC-SHA-256 of "<t>.<body>" with the signing secret of the webhook. For 24 hours after a rotation of the secret, a second v1 is signed with the old one';

export const webhookParameters: Record<string, Json> = {
  Signature: {
    name: 'Signature',
    in: 'header',
    required: true,
    description: SIGNATURE,
    schema: { type: 'string', pattern: '^t=[0-9]+(,v1=[0-9a-f]{64}){1,2}$' },
  },
  UserAgent: { name: 'User-Agent', in: 'header', required: true, schema: { type: 'string', const: 'recaudo/1' } },
};

const message = (name: string, type: string): Json => ({
  allOf: [reference(`${name}Message`), { properties: { type: { const: type } } }],
});

export const webhooks = (): Record<string, Json> =>
  Object.fromEntries(
    eventKinds.flatMap(({ name, types }) =>
      types.map(type => [
        type,
        {
          post: {
            tags: ['webhooks'],
            summary: EVENTS[type].occasion.replaceAll('`', ''),
            description: 'Includes Basic authentication if the webhook has a user name.',
            security: [{}, { webhook_user: [] }],
            parameters: Object.keys(webhookParameters).map(each => reference(each, 'parameters')),
            requestBody: { required: true, content: content(message(name, type)) },
            responses: {
              '2XX': {
                description: 'Delivered, if the response arrives within 10 seconds. The response body is ignored',
              },
              default: { description: 'Failed: retried with increasing delays for three days' },
            },
          },
        },
      ]),
    ),
  );
