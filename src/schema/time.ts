/** Days are days in America/Bogota, which has kept UTC−05:00 all year round since 1993. */
const OFFSET_MS = -5 * 3_600_000;
const DAY_MS = 86_400_000;

/** `2026-11-14T18:50:00-05:00`. */
export const formatMoment = (moment: Date): string =>
  `${new Date(moment.getTime() + OFFSET_MS).toISOString().slice(0, 19)}-05:00`;

/** Undefined when the calendar has no such day. */
export function dayBounds(day: string): { from: Date; until: Date } | undefined {
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || midnight.getUTCFullYear() < 1 || midnight.toISOString().slice(0, 10) !== day)
    return undefined;
  const from = new Date(midnight.getTime() - OFFSET_MS);
  return { from, until: new Date(from.getTime() + DAY_MS) };
}
