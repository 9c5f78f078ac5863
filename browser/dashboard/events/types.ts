import { EVENT_TYPES, ONE_WEBHOOK_TYPES } from '../../../src/events/types';

export const typeOptions = EVENT_TYPES.map(type => [type, type] as const);

/** These are sent to a single webhook, which cannot choose them. */
export const ofOneWebhook = ONE_WEBHOOK_TYPES.map(type => [type, type] as const);

/** A payout has the letter of a transaction, and a page of its own. */
export const roomOf = (type: string): string | undefined => (type.startsWith('payout.') ? 'payouts' : undefined);
