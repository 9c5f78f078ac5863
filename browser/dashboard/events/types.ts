import { EVENT_TYPES, ONE_WEBHOOK_TYPES } from '../../../src/events/types';

export const typeOptions = EVENT_TYPES.map(type => [type, type] as const);

/** Types of events that go to one webhook only, whether or not it listens to them. */
export const ofOneWebhook = ONE_WEBHOOK_TYPES.map(type => [type, type] as const);

/** Payout IDs have the same prefix as transaction IDs, but payouts have pages of their own. */
export const pathOf = (type: string): string | undefined => (type.startsWith('payout.') ? 'payouts' : undefined);
