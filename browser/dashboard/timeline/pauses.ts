/** Pauses that are over. The history has their end; they began when the period paid before them ended. */
import { bogotaDayOf, chargeMoment } from './days';

export interface Interval {
  repeat_every: number;
  repeat_unit: 'week' | 'month' | 'year';
}

interface DrawnItem {
  at: number;
  day: string;
  mark: string;
  isPlanned: boolean;
  entry?: { event: string };
}

const DAY_MS = 86_400_000;
const MONTHS = { month: 1, year: 12 };

/** The day may differ from the day of the bill after a short month, by less than the drawing shows. */
function dayAfter(day: string, { repeat_every, repeat_unit }: Interval): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  if (repeat_unit === 'week') return bogotaDayOf(chargeMoment(day) + 7 * repeat_every * DAY_MS);
  const months = month - 1 + repeat_every * MONTHS[repeat_unit];
  const last = new Date(Date.UTC(year, months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, months, Math.min(date, last))).toISOString().slice(0, 10);
}

export function pastPauses(items: readonly DrawnItem[], interval: Interval): { from: number; to: number }[] {
  const past = items.filter(({ isPlanned }) => !isPlanned);
  return past.flatMap((item, i) => {
    if (item.entry?.event !== 'resumed') return [];
    const before = past.slice(0, i);
    const paid = before.findLast(({ mark }) => mark === 'paid' || mark === 'covered');
    // The interval of an earlier plan is not known.
    const isOtherPlan = past.some(({ entry, at }) => entry?.event === 'plan_changed' && at > (paid?.at ?? 0));
    if (!paid || isOtherPlan) return [];
    return [{ from: chargeMoment(dayAfter(paid.day, interval)), to: item.at }];
  });
}
