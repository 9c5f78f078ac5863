import { ApiError } from '../platform/errors';

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
export const SINGLE_WEBHOOK_TYPES = ['verification', 'test'] as const;

export const ALL_TYPES = [...EVENT_TYPES, ...SINGLE_WEBHOOK_TYPES] as const;

/** As it is spelled here, in whatever letter case it came. */
export function parseEventType(name: string): string {
  const known = ALL_TYPES.find(type => type === name.trim().toLowerCase());
  if (!known) throw new ApiError('invalid_value', `${name.slice(0, 50)} is not a kind of event`);
  return known;
}
