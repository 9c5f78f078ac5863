/** What merchants get at their webhooks, one entry for each type of event. */
import { eventKinds } from './events';
import { content, type Json, reference } from './json';

/** When each type is sent; a test holds that none is forgotten. */
const occasions: Record<string, string> = {
  'charge.created': 'A charge is reserved, or waits for its payer',
  'charge.succeeded': 'A charge is paid',
  'charge.failed': 'A charge is declined, or its payer gave up at the bank',
  'charge.cancelled': 'A reserved charge is cancelled, or was not captured in time',
  'charge.refunded': 'A charge is given back, in whole or in part',
  'transaction.expired': 'A payment was not made in time',
  'chargeback.created': 'The bank of a payer opens a chargeback',
  'chargeback.accepted': 'A chargeback is lost',
  'chargeback.rejected': 'A chargeback is won',
  'fee.succeeded': "A fee is taken from a customer's account",
  'fee.refund.succeeded': 'A fee is given back, in whole or in part',
  'payout.created': 'A payout is asked for, and its amount set aside',
  'payout.succeeded': 'The acquirer has paid a payout',
  'payout.failed': 'The bank did not take a payout, and the merchant has the amount again',
  'subscription.created': 'A customer is subscribed to a plan',
  'subscription.activated': 'A period is paid, and the one before was not or there was none',
  'subscription.past_due': 'A period could not be charged; it is tried again',
  'subscription.unpaid': 'No tries are left, and the plan says unpaid',
  'subscription.cancelled': 'A subscription has ended',
  'subscription.charge.failed': 'The charge of a period is declined',
  'subscription.email.sent': 'The customer is written to about a charge of a period that was declined',
  'settlement.created': 'The acquirer has paid for a day, and what it paid was compared with the books',
  'fraud.alert': 'So many cards were declined that no more are tried for a while',
  'merchant.suspended': 'The merchant is suspended: nothing that moves money is possible until it is resumed',
  'merchant.resumed': 'The merchant is no longer suspended',
  'webhook.disabled': 'A webhook of the merchant got nothing for three days and gets nothing more',
  verification: 'A webhook is created: answering with 2xx verifies it, and so does its code',
  test: 'The merchant asks for it',
};

const SIGNATURE =
  't=<unix seconds>,v1=<hex>: HMAC-SHA-256 of "<t>.<body>" with the secret of the webhook. For a day after the secret was rotated there is a second v1, of the old one';

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
            summary: occasions[type],
            description: 'Basic authorization is sent where the webhook has a user.',
            security: [{}, { webhook_user: [] }],
            parameters: Object.keys(webhookParameters).map(each => reference(each, 'parameters')),
            requestBody: { required: true, content: content(message(name, type)) },
            responses: {
              '2XX': { description: 'Received. It counts within 10 seconds; what the answer holds does not matter' },
              default: { description: 'Not received: tried again with growing pauses for three days' },
            },
          },
        },
      ]),
    ),
  );
