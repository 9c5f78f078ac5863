import { useEffect, useRef } from 'preact/hooks';
import { formatMonth } from '../../shared/format';
import { ClockHandle } from './ClockHandle';
import { HappeningLabels, Happenings } from './Happenings';
import { type Frame, LANES, layoutOf, PAD } from './layout';
import type { Happening, Life, Period } from './life';
import { PeriodBars } from './PeriodBars';
import { Hatch, UNHEARD } from './Signs';
import { t } from './texts';

interface LifeDrawingProps {
  life: Life;
  happenings: readonly Happening[];
  periods: readonly Period[];
  frame: Frame;
  selected: string | undefined;
  select: (happening: Happening) => void;
  act: (happening: Happening) => void;
  isFalling: (happening: Happening) => boolean;
  /** Sandbox only. */
  clock?: { target: string | undefined; choose: (day: string | undefined) => void } | undefined;
}

export function LifeDrawing({ life, happenings, periods, frame, clock, ...rest }: LifeDrawingProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { isUpright } = frame;
  const layout = layoutOf(happenings, periods, life, frame);
  const { size, point, ticks } = layout;
  // During the reveal, the clock is at the last revealed entry.
  const last = happenings.filter(happening => !happening.isPlanned && !rest.isFalling(happening)).at(-1);
  const isPlaying = happenings.some(rest.isFalling);
  const nowPlace = (isPlaying && last && layout.places.get(last.key)) || layout.nowPlace;
  useEffect(() => {
    const { current } = scroller;
    if (current) current.scrollLeft = nowPlace - current.clientWidth / 2;
  }, [frame.width]);

  const across = isUpright ? size.width : LANES.lying.clock;
  const [from, to] = [point(nowPlace, isUpright ? 0 : 16), point(nowPlace, across)];
  return (
    <div class="life-scroll" ref={scroller}>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: what is in it has names of its own. */}
      <svg class={isUpright ? 'life upright' : 'life'} width={size.width} height={size.height}>
        <defs>
          <Hatch />
        </defs>
        <g class="ticks" {...UNHEARD}>
          {ticks.map(({ at, place, hasYear }) => (
            <text key={at} x={PAD + place} y={LANES.lying.tick}>
              {formatMonth(at, hasYear)}
            </text>
          ))}
        </g>
        <PeriodBars periods={periods} layout={layout} isUpright={isUpright} />
        <g class="now" {...UNHEARD}>
          <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
          <text x={isUpright ? size.width - 32 : nowPlace + 16} y={isUpright ? nowPlace - 4 : LANES.lying.clock + 4}>
            {t.today}
          </text>
        </g>
        {isUpright && <HappeningLabels {...rest} happenings={happenings} layout={layout} />}
        <Happenings {...rest} happenings={happenings} layout={layout} isUpright={isUpright} />
        {clock && <ClockHandle {...clock} layout={layout} isUpright={isUpright} now={life.now} nowPlace={nowPlace} />}
      </svg>
    </div>
  );
}
