import { addDays, startOfDay } from '../../workflows/calendar';

/** The start and end of a date in America/Bogota; undefined if the date does not exist. */
export function dayBounds(day: string): { from: Date; until: Date } | undefined {
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.getUTCFullYear() < 1 || midnight.toISOString().slice(0, 10) !== day)
    return undefined;
  return { from: new Date(startOfDay(day)), until: new Date(startOfDay(addDays(day, 1))) };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/i;

export const isDay = (text: string): boolean => DAY.test(text);

/** A date and time in ISO 8601, or only a day. */
export const isTimestamp = (text: string): boolean => isDay(text) || TIMESTAMP.test(text);

/**
 * Truncated to seconds, in America/Bogota unless there is an offset. A day means its last second. Undefined if the moment
 * does not exist.
 */
export function readTimestamp(text: string): Date | undefined {
  const day = text.slice(0, 10);
  if (!dayBounds(day)) return undefined;
  if (isDay(text)) return new Date(startOfDay(addDays(day, 1)) - 1000);
  const timeMs = new Date(/(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}-05:00`).getTime();
  return Number.isNaN(timeMs) ? undefined : new Date(Math.floor(timeMs / 1000) * 1000);
}
