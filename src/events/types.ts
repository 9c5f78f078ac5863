/** Every type of event. Browsers load this file too, so it imports nothing. */

/** The object that an event carries, as it was at that moment. */
export type EventSubject = 'transaction' | 'subscription' | 'settlement' | 'webhook' | 'merchant' | 'alert';

interface EventDefinition {
  subject: EventSubject;
  /** When it is written, for the documents. */
  occasion: string;
  /** Sent to one webhook, which cannot subscribe to it. */
  isForOneWebhook?: true;
}

export const EVENTS = {
  'charge.created': {
    subject: 'transaction',
    occasion: 'A charge was authorized, or a payment is waiting for its payer',
  },
  'charge.succeeded': { subject: 'transaction', occasion: 'A charge was completed' },
  'charge.failed': {
    subject: 'transaction',
    occasion: 'A charge was declined or could not be made, or a bank payment was rejected',
  },
  'charge.cancelled': {
    subject: 'transaction',
    occasion: 'An authorization was cancelled, or expired without a capture',
  },
  'charge.refunded': { subject: 'transaction', occasion: 'A charge was refunded, in whole or in part' },
  'transaction.expired': { subject: 'transaction', occasion: 'A payment was not made in time' },
  'chargeback.created': { subject: 'transaction', occasion: 'A chargeback was opened' },
  'chargeback.accepted': { subject: 'transaction', occasion: 'A chargeback was decided for the payer' },
  'chargeback.rejected': { subject: 'transaction', occasion: 'A chargeback was decided for the merchant' },
  'fee.succeeded': { subject: 'transaction', occasion: "A fee was taken from a customer's account" },
  'fee.refund.succeeded': { subject: 'transaction', occasion: 'A fee was refunded, in whole or in part' },
  'payout.created': { subject: 'transaction', occasion: 'A payout was requested and its amount set aside' },
  'payout.succeeded': { subject: 'transaction', occasion: 'The acquirer has paid a payout' },
  'payout.failed': {
    subject: 'transaction',
    occasion: 'The bank rejected a payout; its amount is back in the balance',
  },
  'subscription.created': { subject: 'subscription', occasion: 'A customer was subscribed to a plan' },
  'subscription.activated': { subject: 'subscription', occasion: 'A subscription became active' },
  'subscription.past_due': { subject: 'subscription', occasion: 'A charge was declined and will be retried' },
  'subscription.unpaid': { subject: 'subscription', occasion: 'No retries are left, and the plan says `unpaid`' },
  'subscription.cancelled': { subject: 'subscription', occasion: 'A subscription ended' },
  'subscription.charge.failed': {
    subject: 'transaction',
    occasion: 'The charge of a period was declined (sent instead of `charge.failed`)',
  },
  'subscription.email.sent': {
    subject: 'subscription',
    occasion: 'The customer was sent an e-mail about a declined renewal',
  },
  'settlement.created': {
    subject: 'settlement',
    occasion: 'The acquirer has settled a day, and its report was compared with the books',
  },
  'webhook.disabled': { subject: 'webhook', occasion: 'A webhook was disabled after three days of failed deliveries' },
  'fraud.alert': {
    subject: 'alert',
    occasion: 'The limit of declined cards was reached; further attempts are refused',
  },
  'merchant.suspended': { subject: 'merchant', occasion: 'An operator suspended the merchant' },
  'merchant.resumed': { subject: 'merchant', occasion: 'The merchant is no longer suspended' },
  verification: {
    subject: 'webhook',
    occasion: 'A webhook was created: a 2xx response or the code in the event verifies it',
    isForOneWebhook: true,
  },
  test: { subject: 'webhook', occasion: 'The merchant requested a test event', isForOneWebhook: true },
} as const satisfies Record<string, EventDefinition>;

export type EventType = keyof typeof EVENTS;

const definitions: [EventType, EventDefinition][] = Object.entries(EVENTS) as [EventType, EventDefinition][];

export const ALL_EVENT_TYPES = definitions.map(([type]) => type);
/** Those that a webhook can subscribe to. */
export const EVENT_TYPES = definitions.filter(([, { isForOneWebhook }]) => !isForOneWebhook).map(([type]) => type);
export const ONE_WEBHOOK_TYPES = ALL_EVENT_TYPES.filter(type => !EVENT_TYPES.includes(type));
