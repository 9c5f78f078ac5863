import { addDays, opening } from '../../workflows/calendar';

/** Days are days in America/Bogota. Undefined when the calendar has no such day. */
export function dayBounds(day: string): { from: Date; until: Date } | undefined {
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.getUTCFullYear() < 1 || midnight.toISOString().slice(0, 10) !== day)
    return undefined;
  return { from: new Date(opening(day)), until: new Date(opening(addDays(day, 1))) };
}
