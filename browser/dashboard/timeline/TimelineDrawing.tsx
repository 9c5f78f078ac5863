import { useEffect, useRef } from 'preact/hooks';
import { formatMonth } from '../../shared/format';
import { ClockHandle } from './ClockHandle';
import { type Frame, LANES, layoutOf, PAD } from './layout';
import { ARIA_HIDDEN, Hatch } from './Marks';
import { PeriodBars } from './PeriodBars';
import { TimelineItemLabels, TimelineItems } from './TimelineItems';
import { t } from './texts';
import type { Period, TimelineData, TimelineItem } from './timelineData';

interface TimelineDrawingProps {
  timeline: TimelineData;
  items: readonly TimelineItem[];
  periods: readonly Period[];
  frame: Frame;
  selected: string | undefined;
  select: (item: TimelineItem) => void;
  act: (item: TimelineItem) => void;
  isHidden: (item: TimelineItem) => boolean;
  /** Sandbox only. */
  clock?: { target: string | undefined; choose: (day: string | undefined) => void } | undefined;
}

export function TimelineDrawing({ timeline, items, periods, frame, clock, ...rest }: TimelineDrawingProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { isVertical } = frame;
  const layout = layoutOf(items, periods, timeline, frame);
  const { size, point, ticks } = layout;
  // During the reveal, the clock is at the last revealed entry.
  const last = items.filter(item => !item.isPlanned && !rest.isHidden(item)).at(-1);
  const isPlaying = items.some(rest.isHidden);
  const nowPlace = (isPlaying && last && layout.places.get(last.key)) || layout.nowPlace;
  useEffect(() => {
    const { current } = scroller;
    if (current) current.scrollLeft = nowPlace - current.clientWidth / 2;
  }, [frame.width]);

  const across = isVertical ? size.width : LANES.horizontal.clock;
  const [from, to] = [point(nowPlace, isVertical ? 0 : 16), point(nowPlace, across)];
  return (
    <div class="timeline-scroll" ref={scroller}>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: what is in it has names of its own. */}
      <svg class={isVertical ? 'timeline vertical' : 'timeline'} width={size.width} height={size.height}>
        <defs>
          <Hatch />
        </defs>
        <g class="ticks" {...ARIA_HIDDEN}>
          {ticks.map(({ at, place, hasYear }) => (
            <text key={at} x={PAD + place} y={LANES.horizontal.tick}>
              {formatMonth(at, hasYear)}
            </text>
          ))}
        </g>
        <PeriodBars periods={periods} layout={layout} isVertical={isVertical} />
        <g class="now" {...ARIA_HIDDEN}>
          <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
          <text
            x={isVertical ? size.width - 32 : nowPlace + 16}
            y={isVertical ? nowPlace - 4 : LANES.horizontal.clock + 4}
          >
            {t.today}
          </text>
        </g>
        {isVertical && <TimelineItemLabels {...rest} items={items} layout={layout} />}
        <TimelineItems {...rest} items={items} layout={layout} isVertical={isVertical} />
        {clock && (
          <ClockHandle {...clock} layout={layout} isVertical={isVertical} now={timeline.now} nowPlace={nowPlace} />
        )}
      </svg>
    </div>
  );
}
