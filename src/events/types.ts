import { ApiError } from '../platform/errors';

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
  'fraud.alert',
  'merchant.suspended',
  'merchant.resumed',
] as const;

/** Sent to a single webhook, which cannot subscribe to them. */
const SINGLE_WEBHOOK_TYPES = ['verification', 'test'] as const;

export const ALL_TYPES = [...EVENT_TYPES, ...SINGLE_WEBHOOK_TYPES] as const;

/** Ignores letter case and surrounding spaces. */
export function parseEventType(field: string, name: string): string {
  const eventType = ALL_TYPES.find(type => type === name.trim().toLowerCase());
  if (!eventType) throw new ApiError('invalid_value', { field, problem: `must be one of ${ALL_TYPES.join(', ')}` });
  return eventType;
}
