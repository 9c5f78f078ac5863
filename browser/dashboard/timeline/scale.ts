/** A time scale with a minimum gap, so that daily retries do not overlap next to months without entries. */
const DAY_MS = 86_400_000;
/** Bogotá has had no daylight saving time since 1993. */
const MIDNIGHT_HOUR_UTC = 5;
const SEARCH_STEPS = 40;
const MAX_PER_DAY = 100;

export interface Scale {
  length: number;
  /** The position of each given moment, in order. */
  places: readonly number[];
  placeOf: (at: number) => number;
  timeAt: (place: number) => number;
}

interface ScaleOptions {
  /** Minimum between neighbours. */
  gap: number;
  /** Minimum length; gaps can extend it. */
  length?: number;
  /** Length of a day if no `length` is given. */
  perDay?: number;
}

/** `moments` must be sorted. */
export function scaleOf(times: readonly number[], { gap, length = 0, perDay = 0 }: ScaleOptions): Scale {
  const days = times.slice(1).map((time, i) => Math.max(0, time - (times[i] ?? time)) / DAY_MS);
  const lengthWith = (perDay: number): number => days.reduce((sum, day) => sum + Math.max(gap, day * perDay), 0);
  const chosen = perDay || findPerDay(lengthWith, length);
  const places = [0];
  for (const day of days) places.push((places.at(-1) ?? 0) + Math.max(gap, day * chosen));
  return {
    length: places.at(-1) ?? 0,
    places,
    placeOf: at => between(times, places, at),
    timeAt: place => between(places, times, place),
  };
}

function findPerDay(lengthWith: (perDay: number) => number, length: number): number {
  let [low, high] = [0, MAX_PER_DAY];
  for (let step = 0; step < SEARCH_STEPS; step++) {
    const middle = (low + high) / 2;
    if (lengthWith(middle) > length) high = middle;
    else low = middle;
  }
  return low;
}

/** Interpolates the value of a key; of several equal keys, the first. */
function between(keys: readonly number[], values: readonly number[], key: number): number {
  const same = keys.indexOf(key);
  if (same >= 0) return values[same] ?? 0;
  const above = keys.findIndex(each => each > key);
  if (above === 0) return values[0] ?? 0;
  if (above < 0) return values.at(-1) ?? 0;
  const [from = 0, to = 0] = [keys[above - 1], keys[above]];
  const [low = 0, high = 0] = [values[above - 1], values[above]];
  return low + ((key - from) / (to - from)) * (high - low);
}

export interface Tick {
  at: number;
  place: number;
  /** True for the first month shown of a year. */
  hasYear: boolean;
}

/** Width of a month, and of a month with its year. */
const MIN_TICK_DISTANCE = 40;
const MIN_YEAR_DISTANCE = 72;

/** The starts of months with enough space for their names. */
export function ticksOf(scale: Scale, from: number, to: number): Tick[] {
  const ticks: Tick[] = [];
  const start = new Date(from);
  let lastYear: number | undefined;
  for (let month = start.getUTCMonth(); ; month++) {
    const at = Date.UTC(start.getUTCFullYear(), month, 1, MIDNIGHT_HOUR_UTC);
    if (at > to) return ticks;
    const place = scale.placeOf(at);
    const last = ticks.at(-1);
    const needed = last?.hasYear ? MIN_YEAR_DISTANCE : MIN_TICK_DISTANCE;
    if (at < from || (last && place - last.place < needed)) continue;
    const year = new Date(at).getUTCFullYear();
    ticks.push({ at, place, hasYear: year !== lastYear });
    lastYear = year;
  }
}
