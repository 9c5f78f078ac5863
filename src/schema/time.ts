import { addDays, startOfDay } from '../../workflows/calendar';

/** Days are days in America/Bogota. Undefined when the calendar has no such day. */
export function dayBounds(day: string): { from: Date; until: Date } | undefined {
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.getUTCFullYear() < 1 || midnight.toISOString().slice(0, 10) !== day)
    return undefined;
  return { from: new Date(startOfDay(day)), until: new Date(startOfDay(addDays(day, 1))) };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** A date and time in ISO 8601, or a day alone. */
export const isTimestamp = (text: string): boolean => DAY.test(text) || TIMESTAMP.test(text);

/** To the second; without an offset in America/Bogota; a day is its last second. Undefined where there is no such moment. */
export function readTimestamp(text: string): Date | undefined {
  const day = text.slice(0, 10);
  if (!dayBounds(day)) return undefined;
  if (DAY.test(text)) return new Date(startOfDay(addDays(day, 1)) - 1000);
  const at = new Date(/(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}-05:00`).getTime();
  return Number.isNaN(at) ? undefined : new Date(Math.floor(at / 1000) * 1000);
}
