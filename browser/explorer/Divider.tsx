import { useLayoutEffect, useState } from 'preact/hooks';
import { load, save } from '../shared/storage';
import { t } from './texts';

const STEP_PERCENT = 2;
/** Percentages of the page width. `grows` is the direction in which the pane becomes wider. */
const PANES = {
  side: { usual: 22, min: 15, max: 45, grows: 1, label: t.widthOfSide },
  answer: { usual: 39, min: 20, max: 60, grows: -1, label: t.widthOfAnswer },
} as const;

/** Dragged, or moved by the arrow keys. A double click restores the usual width. */
export function Divider({ pane }: { pane: keyof typeof PANES }) {
  const { usual, min, max, grows, label } = PANES[pane];
  const limited = (percent: unknown): number =>
    typeof percent === 'number' ? Math.min(max, Math.max(min, Math.round(percent))) : usual;
  const [width, setWidth] = useState(() => limited(load<unknown>(`explorer.${pane}`, usual)));
  useLayoutEffect(() => document.body.style.setProperty(`--${pane}`, `${width}%`), [pane, width]);
  const resize = (percent: number): void => {
    setWidth(limited(percent));
    save(`explorer.${pane}`, limited(percent));
  };
  const step = ({ key }: KeyboardEvent): void => {
    const to = {
      ArrowRight: width + STEP_PERCENT * grows,
      ArrowLeft: width - STEP_PERCENT * grows,
      Home: min,
      End: max,
    };
    if (key in to) resize(to[key as keyof typeof to]);
  };
  const grab = (event: PointerEvent): void => {
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    event.preventDefault();
  };
  const drag = ({ currentTarget, pointerId, clientX }: PointerEvent): void => {
    if (!(currentTarget as Element).hasPointerCapture(pointerId)) return;
    const share = (clientX / document.body.clientWidth) * 100;
    resize(grows > 0 ? share : 100 - share);
  };
  return (
    <hr
      class="divider"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={width}
      onKeyDown={step}
      onPointerDown={grab}
      onPointerMove={drag}
      onDblClick={() => resize(usual)}
    />
  );
}
