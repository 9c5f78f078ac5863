/** The signs on the line, with a roving tab index. */
import { formatDay, formatMoney } from '../../shared/format';
import { LANES, type Layout } from './layout';
import { type Happening, isCharge } from './life';
import { SignShape, UNHEARD } from './Signs';
import { labelOf, t } from './texts';

const HIT = 24;
const LABEL_ACROSS = 92;
const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

type LabelsProps = Pick<HappeningsProps, 'happenings' | 'layout' | 'selected' | 'isFalling'>;

const laneOf = (happening: Happening): 'charge' | 'letter' | 'other' =>
  isCharge(happening) ? 'charge' : happening.sign === 'letter' ? 'letter' : 'other';

interface HappeningsProps {
  happenings: readonly Happening[];
  layout: Layout;
  isUpright: boolean;
  selected: string | undefined;
  select: (happening: Happening) => void;
  /** Called on Enter and click. */
  act: (happening: Happening) => void;
  /** Not revealed yet. */
  isFalling: (happening: Happening) => boolean;
}

export function Happenings({ happenings, layout, isUpright, selected, select, act, isFalling }: HappeningsProps) {
  const lanes = isUpright ? LANES.upright : LANES.lying;
  const current = happenings.find(({ key }) => key === selected) ?? happenings.find(({ isPlanned }) => isPlanned);
  const tabbed = (current ?? happenings.at(-1))?.key;

  const onKey = (event: KeyboardEvent, i: number): void => {
    const target = { Home: 0, End: happenings.length - 1 }[event.key] ?? i + (STEPS[event.key] ?? 0);
    const happening = happenings[Math.min(happenings.length - 1, Math.max(0, target))];
    if (!happening) return;
    if (event.key === 'Enter' || event.key === ' ') act(happening);
    else if (target === i && !(event.key in STEPS)) return;
    event.preventDefault();
    select(happening);
    document.getElementById(happening.key)?.focus();
  };

  return (
    <g role="listbox" aria-label={t.title} aria-orientation={isUpright ? 'vertical' : 'horizontal'}>
      {happenings.map((happening, i) => {
        const { key, sign, day } = happening;
        const along = layout.places.get(key) ?? 0;
        const { x, y } = layout.point(along, lanes[laneOf(happening)]);
        const falling = isFalling(happening);
        return (
          <g
            key={key}
            id={key}
            role="option"
            aria-label={falling ? t.falling : labelOf(happening)}
            aria-selected={key === selected}
            tabindex={key === tabbed ? 0 : -1}
            class="happening"
            data-sign={falling ? 'falling' : sign}
            data-day={day}
            data-period={happening.period}
            onFocus={() => select(happening)}
            onPointerEnter={() => select(happening)}
            onClick={() => act(happening)}
            onKeyDown={event => onKey(event, i)}
          >
            <g transform={`translate(${x} ${y})`}>
              <rect x={-HIT / 2} y={-HIT / 2} width={HIT} height={HIT} class="hit" />
              {key === selected && <circle r="11" class="ring" />}
              {falling ? isCharge(happening) && <SignShape sign="planned" /> : <SignShape sign={sign} />}
            </g>
          </g>
        );
      })}
    </g>
  );
}

/** Visible labels of the vertical layout; the signs have accessible names of their own. */
export const HappeningLabels = ({ happenings, layout, selected, isFalling }: LabelsProps) => (
  <g {...UNHEARD}>
    {happenings
      .filter(happening => !isFalling(happening))
      .map(({ key, day, charge, sign }) => (
        <text key={key} x={LABEL_ACROSS} y={(layout.places.get(key) ?? 0) + 4} data-selected={key === selected}>
          {formatDay(day)} · {charge ? formatMoney(charge.amount) : t.legend[sign]}
        </text>
      ))}
  </g>
);
