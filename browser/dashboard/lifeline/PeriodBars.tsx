import { LANES, type Layout, PAD, PERIOD_SIZE } from './layout';
import type { Period } from './life';
import { UNHEARD } from './Signs';
import { t } from './texts';

const DIGIT_PIXELS = 7;
const NUMBER_MARGIN = 8;
const BETWEEN = 2;

export function PeriodBars({
  periods,
  layout: { scale, point, nowPlace },
  isUpright,
}: {
  periods: readonly Period[];
  layout: Layout;
  isUpright: boolean;
}) {
  const across = isUpright ? LANES.upright.period : LANES.lying.period;
  return (
    <g {...UNHEARD}>
      {periods.map(({ number, from, to, kind }) => {
        const start = PAD + scale.placeOf(from);
        const length = Math.max(2, PAD + scale.placeOf(to) - start - BETWEEN);
        const { x, y } = point(start, across);
        const middle = point(start + length / 2, across + PERIOD_SIZE / 2);
        const [width, height] = isUpright ? [PERIOD_SIZE, length] : [length, PERIOD_SIZE];
        const isOwed = kind === 'open' || kind === 'would-owe';
        const isAhead = kind === 'planned' || kind === 'would-owe' || start >= nowPlace;
        return (
          <g key={number} class={`period ${kind}`} data-ahead={isAhead}>
            <title>{`${t.lanes.period} ${number}: ${t.kinds[kind]}`}</title>
            <rect x={x} y={y} width={width} height={height} rx="3" {...(isOwed && { fill: 'url(#hatch)' })} />
            {number > 0 && length >= NUMBER_MARGIN + DIGIT_PIXELS * (isUpright ? 1 : String(number).length) && (
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
