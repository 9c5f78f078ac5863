/** The marks on the line, with a roving tab index. */
import { formatDay, formatMoney } from '../../shared/format';
import { LANES, type Layout } from './layout';
import { ARIA_HIDDEN, MarkShape } from './Marks';
import { labelOf, t } from './texts';
import { isCharge, type TimelineItem } from './timelineData';

const HIT = 24;
const LABEL_ACROSS = 92;
const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

type LabelsProps = Pick<TimelineItemsProps, 'items' | 'layout' | 'selected' | 'isHidden'>;

const laneOf = (item: TimelineItem): 'charge' | 'email' | 'other' =>
  isCharge(item) ? 'charge' : item.mark === 'email' ? 'email' : 'other';

interface TimelineItemsProps {
  items: readonly TimelineItem[];
  layout: Layout;
  isVertical: boolean;
  selected: string | undefined;
  select: (item: TimelineItem) => void;
  /** Called on Enter and click. */
  act: (item: TimelineItem) => void;
  /** Not revealed yet. */
  isHidden: (item: TimelineItem) => boolean;
}

export function TimelineItems({ items, layout, isVertical, selected, select, act, isHidden }: TimelineItemsProps) {
  const lanes = isVertical ? LANES.vertical : LANES.horizontal;
  const current = items.find(({ key }) => key === selected) ?? items.find(({ isPlanned }) => isPlanned);
  const tabbed = (current ?? items.at(-1))?.key;

  const onKey = (event: KeyboardEvent, i: number): void => {
    const target = { Home: 0, End: items.length - 1 }[event.key] ?? i + (STEPS[event.key] ?? 0);
    const item = items[Math.min(items.length - 1, Math.max(0, target))];
    if (!item) return;
    if (event.key === 'Enter' || event.key === ' ') act(item);
    else if (target === i && !(event.key in STEPS)) return;
    event.preventDefault();
    select(item);
    document.getElementById(item.key)?.focus();
  };

  return (
    <g role="listbox" aria-label={t.title} aria-orientation={isVertical ? 'vertical' : 'horizontal'}>
      {items.map((item, i) => {
        const { key, mark, day } = item;
        const along = layout.places.get(key) ?? 0;
        const { x, y } = layout.point(along, lanes[laneOf(item)]);
        const hidden = isHidden(item);
        return (
          <g
            key={key}
            id={key}
            role="option"
            aria-label={hidden ? t.inProgress : labelOf(item)}
            aria-selected={key === selected}
            tabindex={key === tabbed ? 0 : -1}
            class="timeline-item"
            data-mark={hidden ? 'hidden' : mark}
            data-day={day}
            data-period={item.period}
            onFocus={() => select(item)}
            onPointerEnter={() => select(item)}
            onClick={() => act(item)}
            onKeyDown={event => onKey(event, i)}
          >
            <g transform={`translate(${x} ${y})`}>
              <rect x={-HIT / 2} y={-HIT / 2} width={HIT} height={HIT} class="hit" />
              {key === selected && <circle r="11" class="ring" />}
              {hidden ? isCharge(item) && <MarkShape mark="planned" /> : <MarkShape mark={mark} />}
            </g>
          </g>
        );
      })}
    </g>
  );
}

/** Visible labels of the vertical layout; the marks have accessible names of their own. */
export const TimelineItemLabels = ({ items, layout, selected, isHidden }: LabelsProps) => (
  <g {...ARIA_HIDDEN}>
    {items
      .filter(item => !isHidden(item))
      .map(({ key, day, charge, mark }) => (
        <text key={key} x={LABEL_ACROSS} y={(layout.places.get(key) ?? 0) + 4} data-selected={key === selected}>
          {formatDay(day)} · {charge ? formatMoney(charge.amount) : t.legend[mark]}
        </text>
      ))}
  </g>
);
