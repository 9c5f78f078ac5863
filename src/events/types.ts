/** Event types. Browsers load this file too, so it imports nothing. */

/** The object of an event. */
export type EventSubject = 'transaction' | 'subscription' | 'settlement' | 'webhook' | 'merchant' | 'alert' | 'email';

interface EventDefinition {
  subject: EventSubject;
  /** Documentation of the cause. */
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
    occasion: 'A charge was declined or failed, or a bank or Bre-B payment was rejected',
  },
  'charge.cancelled': {
    subject: 'transaction',
    occasion: 'An authorization was cancelled, or expired without a capture',
  },
  'charge.refunded': { subject: 'transaction', occasion: 'A charge was refunded, in whole or in part' },
  'transaction.expired': { subject: 'transaction', occasion: 'A payment expired before the payer completed it' },
  'chargeback.created': { subject: 'transaction', occasion: 'A chargeback was opened' },
  'chargeback.accepted': { subject: 'transaction', occasion: 'A chargeback was decided for the payer' },
  'chargeback.rejected': { subject: 'transaction', occasion: 'A chargeback was decided for the merchant' },
  'fee.succeeded': { subject: 'transaction', occasion: "A fee was collected from a customer's account" },
  'fee.refund.succeeded': { subject: 'transaction', occasion: 'A fee was refunded, in whole or in part' },
  'payout.created': { subject: 'transaction', occasion: 'A payout was requested and its amount reserved' },
  'payout.succeeded': { subject: 'transaction', occasion: 'The acquirer has paid a payout' },
  'payout.failed': {
    subject: 'transaction',
    occasion: 'The bank rejected a payout; its amount was returned to the balance',
  },
  'subscription.created': { subject: 'subscription', occasion: 'A customer was subscribed to a plan' },
  'subscription.activated': { subject: 'subscription', occasion: 'A subscription became active' },
  'subscription.past_due': { subject: 'subscription', occasion: 'A charge was declined and will be retried' },
  'subscription.unpaid': {
    subject: 'subscription',
    occasion: 'All retries failed, and the plan is configured with `unpaid`',
  },
  'subscription.paused': {
    subject: 'subscription',
    occasion: 'A pause was requested, which takes effect when the paid period or the trial ends',
  },
  'subscription.resumed': { subject: 'subscription', occasion: 'A pause ended or was withdrawn' },
  'subscription.changed': {
    subject: 'subscription',
    occasion: 'Plan, quantity, coupon or extras of a subscription changed, or will with the next period',
  },
  'subscription.period.covered': {
    subject: 'subscription',
    occasion: 'A period began without a charge, because discounts, courtesies or credit cover it',
  },
  'subscription.payment.credited': {
    subject: 'subscription',
    occasion: 'A payment arrived when nothing was due, and was credited to the subscription',
  },
  'subscription.cancelled': { subject: 'subscription', occasion: 'A subscription ended' },
  'subscription.charge.failed': {
    subject: 'transaction',
    occasion: 'The charge of a period was declined (sent instead of `charge.failed`)',
  },
  'subscription.email.sent': {
    subject: 'subscription',
    occasion: 'The customer received an e-mail about a declined renewal',
  },
  'email.sent': { subject: 'email', occasion: 'The mail server accepted an e-mail to a payer' },
  'settlement.created': {
    subject: 'settlement',
    occasion: 'The acquirer settled a day, and its report was reconciled with the books',
  },
  'webhook.disabled': {
    subject: 'webhook',
    occasion: 'A webhook was disabled after three days of failures or a 410 Gone',
  },
  'fraud.alert': {
    subject: 'alert',
    occasion: 'The limit of declined cards was reached; further attempts are rejected',
  },
  'merchant.suspended': { subject: 'merchant', occasion: 'An operator suspended the merchant' },
  'merchant.resumed': { subject: 'merchant', occasion: 'An operator ended the suspension of the merchant' },
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
/** Types that a webhook can subscribe to. */
export const EVENT_TYPES = definitions.filter(([, { isForOneWebhook }]) => !isForOneWebhook).map(([type]) => type);
export const ONE_WEBHOOK_TYPES = ALL_EVENT_TYPES.filter(type => !EVENT_TYPES.includes(type));
