/** What can happen. The dashboard knows it from here too, so that nothing else is imported. */
export const EVENT_TYPES = [
  'charge.created',
  'charge.succeeded',
  'charge.failed',
  'charge.cancelled',
  'charge.refunded',
  'transaction.expired',
  'chargeback.created',
  'chargeback.accepted',
  'chargeback.rejected',
  'fee.succeeded',
  'fee.refund.succeeded',
  'payout.created',
  'payout.succeeded',
  'payout.failed',
  'subscription.created',
  'subscription.activated',
  'subscription.past_due',
  'subscription.unpaid',
  'subscription.cancelled',
  'subscription.charge.failed',
  'subscription.email.sent',
  'settlement.created',
  'webhook.disabled',
  'fraud.alert',
  'merchant.suspended',
  'merchant.resumed',
] as const;

/** Sent to a single webhook, which cannot subscribe to them. */
export const SINGLE_WEBHOOK_TYPES = ['verification', 'test'] as const;

export const ALL_TYPES = [...EVENT_TYPES, ...SINGLE_WEBHOOK_TYPES] as const;
