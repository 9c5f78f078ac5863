import { ApiError } from '../platform/errors';
import { ALL_TYPES } from './names';

/** Ignores letter case and surrounding spaces. */
export function parseEventType(field: string, name: string): string {
  const eventType = ALL_TYPES.find(type => type === name.trim().toLowerCase());
  if (!eventType) throw new ApiError('invalid_value', { field, problem: `must be one of ${ALL_TYPES.join(', ')}` });
  return eventType;
}
