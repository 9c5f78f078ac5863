/** Every kind of event there is. */
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
  'subscription.created',
  'subscription.activated',
  'subscription.past_due',
  'subscription.unpaid',
  'subscription.cancelled',
  'subscription.charge.failed',
  'webhook.disabled',
] as const;

/** Sent to one webhook alone, and never chosen. */
export const OWN_TYPES = ['verification', 'test'] as const;
