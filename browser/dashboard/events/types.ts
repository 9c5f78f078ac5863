import { EVENT_TYPES, ONE_WEBHOOK_TYPES } from '../../../src/events/types';

export const typeOptions = EVENT_TYPES.map(type => [type, type] as const);

/** Sent to a single webhook, regardless of its subscriptions. */
export const ofOneWebhook = ONE_WEBHOOK_TYPES.map(type => [type, type] as const);

/** The ID of a payout has the prefix of transactions, but its own page. */
export const pathOf = (type: string): string | undefined => (type.startsWith('payout.') ? 'payouts' : undefined);
