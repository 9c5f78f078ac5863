/** Paydays and working days in Colombia. Its holidays are fixed, moved to Monday, or relative to Easter. */
import { addDays, type Day } from '../../../../workflows/calendar';

const FIXED = ['01-01', '05-01', '07-20', '08-07', '12-08', '12-25'];
/** Law 51 of 1983 moves these to the next Monday. */
const MOVED = ['01-06', '03-19', '06-29', '08-15', '10-12', '11-01', '11-11'];
/** Holy Thursday, Good Friday; Ascension, Corpus Christi and Sacred Heart on the Mondays after them. */
const AFTER_EASTER = [-3, -2, 43, 64, 71];

const weekdayOf = (day: Day): number => new Date(`${day}T00:00:00Z`).getUTCDay();
const nextMonday = (day: Day): Day => addDays(day, (8 - weekdayOf(day)) % 7);
const twoDigits = (number: number): string => String(number).padStart(2, '0');

/** The Gregorian algorithm of Meeus, Jones and Butcher. */
export function easterSunday(year: number): Day {
  const golden = year % 19;
  const [century, inCentury] = [Math.floor(year / 100), year % 100];
  const correction = century - Math.floor(century / 4) - Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + correction + 15) % 30;
  const shift = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - epact - (inCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * shift) / 451);
  const days = epact + shift - 7 * late + 114;
  return `${year}-${twoDigits(Math.floor(days / 31))}-${twoDigits((days % 31) + 1)}`;
}

const holidaysByYear = new Map<number, ReadonlySet<Day>>();

export function holidaysOf(year: number): ReadonlySet<Day> {
  const known = holidaysByYear.get(year);
  if (known) return known;
  const easter = easterSunday(year);
  const holidays = new Set([
    ...FIXED.map(day => `${year}-${day}`),
    ...MOVED.map(day => nextMonday(`${year}-${day}`)),
    ...AFTER_EASTER.map(days => addDays(easter, days)),
  ]);
  holidaysByYear.set(year, holidays);
  return holidays;
}

export const isWorkingDay = (day: Day): boolean =>
  weekdayOf(day) % 6 !== 0 && !holidaysOf(Number(day.slice(0, 4))).has(day);

function workingDayFrom(day: Day, step: 1 | -1): Day {
  let found = day;
  while (!isWorkingDay(found)) found = addDays(found, step);
  return found;
}

/** The 15th and the last day of the month, each moved to the working day before if it is not one. */
export function paydaysOf(year: number, month: number): [Day, Day] {
  const first = `${year + Math.floor((month - 1) / 12)}-${twoDigits(((month - 1) % 12) + 1)}`;
  const next = `${year + Math.floor(month / 12)}-${twoDigits((month % 12) + 1)}-01`;
  return [workingDayFrom(`${first}-15`, -1), workingDayFrom(addDays(next, -1), -1)];
}

/** The paydays after a day and the working day after each, in order. */
function* collectionDays(after: Day): Generator<Day, never> {
  const year = Number(after.slice(0, 4)) - 1;
  // From the month before, whose last payday may be followed by a working day of this month.
  for (let month = 12 + Number(after.slice(5, 7)) - 1; ; month++) {
    for (const payday of paydaysOf(year, month)) {
      for (const day of [payday, workingDayFrom(addDays(payday, 1), 1)]) if (day > after) yield day;
    }
  }
}

/**
 * The days of `count` retries after one day and before another: the next collection days, and for the retries that are
 * left over the last days. All days between, if they are fewer.
 */
export function paydayRetries(after: Day, before: Day, count: number): Day[] {
  const days = new Set<Day>();
  for (const day of collectionDays(after)) {
    if (day >= before || days.size >= count) break;
    days.add(day);
  }
  for (let day = addDays(before, -1); day > after && days.size < count; day = addDays(day, -1)) days.add(day);
  return [...days].sort();
}
