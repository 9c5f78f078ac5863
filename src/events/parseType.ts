import { ApiError } from '../platform/errors';
import { ALL_EVENT_TYPES, type EventType } from './types';

/** Ignores letter case and surrounding spaces. */
export function parseEventType(field: string, name: string): EventType {
  const eventType = ALL_EVENT_TYPES.find(type => type === name.trim().toLowerCase());
  if (!eventType) throw new ApiError('invalid_value', 'not_one_of', { field, values: ALL_EVENT_TYPES.join(', ') });
  return eventType;
}
