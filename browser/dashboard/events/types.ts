import { ALL_EVENT_TYPES, EVENT_TYPES, type EventType, ONE_WEBHOOK_TYPES } from '../../../src/events/types';
import { type EnumName, enumName } from '../../../src/schema/enums/enumName';

export type EventTypeWord = EnumName<EventType>;

const names = new Map<string, string>(ALL_EVENT_TYPES.map(type => [enumName(type), type]));

/** The name of a type in webhooks. A newer server may have other types. */
export const eventName = (word: string): string => names.get(word) ?? word;

export const typeOptions = EVENT_TYPES.map(type => [enumName(type), type] as const);

/** Types of events that go to one webhook only, whether or not it listens to them. */
export const ofOneWebhook = ONE_WEBHOOK_TYPES.map(type => [enumName(type), type] as const);

/** Payout IDs have the same prefix as transaction IDs, but payouts have pages of their own. */
export const pathOf = (type: string): string | undefined => (type.startsWith('payout.') ? 'payouts' : undefined);

/** The chosen types, joined by commas. */
export const typesOf = (text = ''): EventTypeWord[] => text.split(',').filter(Boolean) as EventTypeWord[];
