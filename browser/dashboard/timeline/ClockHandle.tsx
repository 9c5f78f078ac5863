/** Selects a day for the test clock by dragging or with the keyboard, before a confirmation. */
import { useRef } from 'preact/hooks';
import { formatDay } from '../../shared/format';
import { bogotaDayOf, endOfDay } from './days';
import { LANES, type Layout, PAD } from './layout';
import { t } from './texts';

const DAY_MS = 86_400_000;
const MONTH_DAYS = 30;
const STEPS: Record<string, number> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: MONTH_DAYS,
  PageDown: -MONTH_DAYS,
};

interface ClockHandleProps {
  layout: Layout;
  isVertical: boolean;
  now: number;
  /** The current time of the clock, also during a move. */
  nowPlace: number;
  target: string | undefined;
  choose: (day: string | undefined) => void;
}

export function ClockHandle({ layout, isVertical, now, nowPlace, target, choose }: ClockHandleProps) {
  const { scale, point, size, horizon } = layout;
  const handle = useRef<SVGGElement>(null);
  const daysTo = (at: number): number => Math.round((endOfDay(bogotaDayOf(at)) - endOfDay(bogotaDayOf(now))) / DAY_MS);
  const max = daysTo(horizon);
  const chosen = target ? Math.max(0, daysTo(endOfDay(target))) : 0;
  const chooseDays = (days: number): void => {
    const within = Math.min(max, Math.max(0, days));
    choose(within > 0 ? bogotaDayOf(endOfDay(bogotaDayOf(now)) + within * DAY_MS) : undefined);
  };
  const onMove = (event: PointerEvent): void => {
    const { currentTarget, pointerId, clientX, clientY } = event;
    const element = currentTarget as SVGGElement;
    const box = element.ownerSVGElement?.getBoundingClientRect();
    if (!box || !element.hasPointerCapture(pointerId)) return;
    chooseDays(daysTo(scale.timeAt((isVertical ? clientY - box.top : clientX - box.left) - PAD)));
  };
  const onKey = (event: KeyboardEvent): void => {
    const { key } = event;
    const days = { Home: 0, End: max, Escape: 0 }[key] ?? (key in STEPS ? chosen + (STEPS[key] ?? 0) : undefined);
    if (days === undefined) return;
    event.preventDefault();
    chooseDays(days);
  };

  const across = isVertical ? size.width - 16 : LANES.horizontal.clock;
  const along = target ? PAD + scale.placeOf(endOfDay(target)) : nowPlace;
  const { x, y } = point(along, across);
  const [from, to] = [point(along, 0), point(along, across)];
  return (
    <g
      ref={handle}
      role="slider"
      tabindex={0}
      class="clock-handle"
      aria-label={t.clock}
      aria-orientation={isVertical ? 'vertical' : 'horizontal'}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={chosen}
      aria-valuetext={formatDay(target ?? bogotaDayOf(now))}
      onKeyDown={onKey}
      onPointerDown={event => (event.currentTarget as SVGGElement).setPointerCapture(event.pointerId)}
      onPointerMove={onMove}
    >
      {target && <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} class="target" />}
      <g transform={`translate(${x} ${y})`}>
        <rect x="-16" y="-16" width="32" height="32" class="hit" />
        <circle r="11" class="clock-face" />
        <path d="M0-6V0L4 3" class="clock-hands" />
      </g>
    </g>
  );
}
