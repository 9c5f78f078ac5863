/**
 * Days and moments without a time zone database: Colombia has used UTC−05:00 all year since 1993. Plain arithmetic keeps
 * replays independent of runtime updates.
 */

/** yyyy-mm-dd in America/Bogota. */
export type Day = string;
/** Milliseconds since the epoch. */
export type Moment = number;
export type RepeatUnit = 'week' | 'month' | 'year';
/** A list has the days after the charge day, one for each retry. */
export type RetrySchedule = 'daily' | 'paydays' | readonly number[];

export const DAY_MS = 86_400_000;
const BOGOTA_OFFSET_MS = -5 * 3_600_000;
/** Length of the billing window, which begins with the charge day. */
const BILLING_WINDOW_MS = 2 * 3_600_000;

const midnight = (day: Day): Moment => Date.parse(`${day}T00:00:00Z`);
const formatDay = (ms: Moment): Day => new Date(ms).toISOString().slice(0, 10);

export const dayOf = (at: Moment): Day => formatDay(at + BOGOTA_OFFSET_MS);
export const startOfDay = (day: Day): Moment => midnight(day) - BOGOTA_OFFSET_MS;
export const addDays = (day: Day, days: number): Day => formatDay(midnight(day) + days * DAY_MS);

/** Formats as `2026-11-14T18:50:00-05:00`. */
export const formatMoment = (at: Moment, hoursBehindUtc = 5): string =>
  `${new Date(at - hoursBehindUtc * 3_600_000).toISOString().slice(0, 19)}-0${hoursBehindUtc}:00`;

/** The n-th charge day, computed from the first one: 01-31 gives 02-28, 03-31, 04-30. */
export function nthChargeDay(first: Day, n: number, every: number, unit: RepeatUnit): Day {
  const steps = (n - 1) * every;
  if (unit === 'week') return addDays(first, steps * 7);
  const [year = 0, month = 1, day = 1] = first.split('-').map(Number);
  const months = year * 12 + (month - 1) + steps * (unit === 'year' ? 12 : 1);
  const [inYear, inMonth] = [Math.floor(months / 12), months % 12];
  const lastDay = new Date(Date.UTC(inYear, inMonth + 1, 0)).getUTCDate();
  return formatDay(Date.UTC(inYear, inMonth, Math.min(day, lastDay)));
}

/** The time of day of `planned` on another day. */
export const sameTimeOn = (day: Day, planned: Moment): Moment =>
  startOfDay(day) + (planned - startOfDay(dayOf(planned)));

/** Offset of a subscription in the billing window, derived from its ID to spread charges. */
export function billingOffset(id: string): number {
  let hash = 0x811c9dc5; // FNV-1a
  for (const char of id) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
  return hash % BILLING_WINDOW_MS;
}
