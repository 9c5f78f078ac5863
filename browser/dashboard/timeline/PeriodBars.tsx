import { LANES, type Layout, PAD, PERIOD_SIZE } from './layout';
import { ARIA_HIDDEN } from './Marks';
import { t } from './texts';
import type { Period } from './timelineData';

const DIGIT_PIXELS = 7;
const NUMBER_MARGIN = 8;
const BETWEEN = 2;
/** Width of the word. */
const PAUSE_PIXELS = 70;

export function PeriodBars({
  periods,
  layout: { scale, point, nowPlace },
  isVertical,
}: {
  periods: readonly Period[];
  layout: Layout;
  isVertical: boolean;
}) {
  const across = isVertical ? LANES.vertical.period : LANES.horizontal.period;
  return (
    <g {...ARIA_HIDDEN}>
      {periods.map(({ number, from, to, kind }) => {
        const start = PAD + scale.placeOf(from);
        const length = Math.max(2, PAD + scale.placeOf(to) - start - BETWEEN);
        const { x, y } = point(start, across);
        const middle = point(start + length / 2, across + PERIOD_SIZE / 2);
        const [width, height] = isVertical ? [PERIOD_SIZE, length] : [length, PERIOD_SIZE];
        const isOwed = kind === 'open' || kind === 'would-owe';
        const isAhead = kind === 'planned' || kind === 'would-owe' || start >= nowPlace;
        return (
          <g key={`${number} ${from}`} class={`period ${kind}`} data-ahead={isAhead}>
            <title>{kind === 'paused' ? t.kinds.paused : `${t.lanes.period} ${number}: ${t.kinds[kind]}`}</title>
            <rect x={x} y={y} width={width} height={height} rx="3" {...(isOwed && { fill: 'url(#hatch)' })} />
            {kind === 'paused' && !isVertical && length >= PAUSE_PIXELS && (
              <text x={middle.x} y={middle.y + 4}>
                {t.kinds.paused}
              </text>
            )}
            {number > 0 && length >= NUMBER_MARGIN + DIGIT_PIXELS * (isVertical ? 1 : String(number).length) && (
              <text x={middle.x} y={middle.y + 4} class={isOwed ? 'on-hatch' : ''}>
                {number}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}
