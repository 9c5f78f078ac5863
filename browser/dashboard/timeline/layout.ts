/** Positions in the drawing: horizontal on desktops, vertical on phones. */

import { type Scale, scaleOf, type Tick, ticksOf } from './scale';
import { horizonOf, type Period, type TimelineData, type TimelineItem } from './timelineData';

export interface Frame {
  isVertical: boolean;
  /** Width of the container. */
  width: number;
}

/** In pixels, perpendicular to the line. */
export const LANES = {
  horizontal: { tick: 12, period: 22, charge: 64, email: 90, other: 116, clock: 144, size: 162 },
  vertical: { tick: 0, period: 2, charge: 46, email: 72, other: 72, clock: 0, size: 0 },
};
export const PERIOD_SIZE = 20;
export const PAD = 20;
const GAP = { horizontal: 18, vertical: 28 };
const DAY_PIXELS_VERTICAL = 0.9;

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
  items: readonly TimelineItem[],
  periods: readonly Period[],
  { now }: TimelineData,
  { isVertical, width }: Frame,
): Layout {
  const past = items.filter(({ isPlanned }) => !isPlanned);
  const planned = items.filter(({ isPlanned }) => isPlanned);
  const horizon = horizonOf(periods, now);
  const times = rising([...past.map(({ at }) => at), now, ...planned.map(({ at }) => at), horizon]);
  const scale = isVertical
    ? scaleOf(times, { gap: GAP.vertical, perDay: DAY_PIXELS_VERTICAL })
    : scaleOf(times, { gap: GAP.horizontal, length: width - 2 * PAD });
  const length = scale.length + 2 * PAD;
  const places = new Map(
    [...past, ...planned].map(({ key }, i) => [key, PAD + (scale.places[i < past.length ? i : i + 1] ?? 0)] as const),
  );
  return {
    scale,
    horizon,
    size: isVertical ? { width, height: length } : { width: length, height: LANES.horizontal.size },
    ticks: isVertical ? [] : ticksOf(scale, times[0] ?? now, horizon),
    places,
    nowPlace: PAD + (scale.places[past.length] ?? 0),
    point: (along, across) => (isVertical ? { x: across, y: along } : { x: along, y: across }),
  };
}

const rising = (times: readonly number[]): number[] => {
  let last = Number.NEGATIVE_INFINITY;
  return times.map(time => {
    last = Math.max(last, time);
    return last;
  });
};
