/** Positions in the drawing: horizontal on desktops, vertical on phones. */
import { type Happening, horizonOf, type Life, type Period } from './life';
import { type Scale, scaleOf, type Tick, ticksOf } from './scale';

export interface Frame {
  isUpright: boolean;
  /** Width of the container. */
  width: number;
}

/** In pixels, perpendicular to the line. */
export const LANES = {
  lying: { tick: 12, period: 22, charge: 64, letter: 90, other: 116, clock: 144, size: 162 },
  upright: { tick: 0, period: 2, charge: 46, letter: 72, other: 72, clock: 0, size: 0 },
};
export const PERIOD_SIZE = 20;
export const PAD = 20;
const GAP = { lying: 18, upright: 28 };
const DAY_PIXELS_UPRIGHT = 0.9;

interface Point {
  x: number;
  y: number;
}

export interface Layout {
  scale: Scale;
  horizon: number;
  size: { width: number; height: number };
  ticks: Tick[];
  places: ReadonlyMap<string, number>;
  nowPlace: number;
  point: (along: number, across: number) => Point;
}

export function layoutOf(
  happenings: readonly Happening[],
  periods: readonly Period[],
  { now }: Life,
  { isUpright, width }: Frame,
): Layout {
  const past = happenings.filter(({ isPlanned }) => !isPlanned);
  const planned = happenings.filter(({ isPlanned }) => isPlanned);
  const horizon = horizonOf(periods, now);
  const times = rising([...past.map(({ at }) => at), now, ...planned.map(({ at }) => at), horizon]);
  const scale = isUpright
    ? scaleOf(times, { gap: GAP.upright, perDay: DAY_PIXELS_UPRIGHT })
    : scaleOf(times, { gap: GAP.lying, length: width - 2 * PAD });
  const length = scale.length + 2 * PAD;
  const places = new Map(
    [...past, ...planned].map(({ key }, i) => [key, PAD + (scale.places[i < past.length ? i : i + 1] ?? 0)] as const),
  );
  return {
    scale,
    horizon,
    size: isUpright ? { width, height: length } : { width: length, height: LANES.lying.size },
    ticks: isUpright ? [] : ticksOf(scale, times[0] ?? now, horizon),
    places,
    nowPlace: PAD + (scale.places[past.length] ?? 0),
    point: (along, across) => (isUpright ? { x: across, y: along } : { x: along, y: across }),
  };
}

const rising = (times: readonly number[]): number[] => {
  let last = Number.NEGATIVE_INFINITY;
  return times.map(time => {
    last = Math.max(last, time);
    return last;
  });
};
