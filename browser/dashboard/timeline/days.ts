/** Days of Bogotá, such as 2026-11-15. */
export const chargeMoment = (day: string): number => Date.parse(`${day}T01:00:00-05:00`);
export const bogotaDayOf = (at: number): string => new Date(at - 5 * 3_600_000).toISOString().slice(0, 10);
/** The time at which a clock moved to a day stops. */
export const endOfDay = (day: string): number => Date.parse(`${day}T23:00:00-05:00`);
