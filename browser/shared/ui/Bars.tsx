/** A bar chart of days. The selected bar shows its figures below, otherwise the total. */
import { useState } from 'preact/hooks';

interface Bar {
  key: string;
  /** Stacked from the bottom. */
  parts: readonly number[];
  text: string;
}

const STEP = 10;
const GAP = 2;
const HEIGHT = 100;
/** Minimum visible height. */
const MIN_HEIGHT = 3;

interface BarsProps {
  label: string;
  bars: readonly Bar[];
  /** Shown while no bar is selected. */
  summary: string;
  /** Makes a large chart, with the highest value and the names of the first, the middle and the last day. */
  axis?: { top: string; days: readonly string[] };
}

export function Bars({ label, bars, summary, axis }: BarsProps) {
  const [at, setAt] = useState<number | undefined>(undefined);
  const highest = Math.max(1, ...bars.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0)));
  const last = bars.length - 1;
  const walk = (event: KeyboardEvent): void => {
    const from = at ?? last + 1;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last, Escape: undefined }[event.key];
    if (to === undefined && event.key !== 'Escape') return;
    if (to !== undefined) event.preventDefault();
    setAt(to === undefined ? undefined : Math.min(last, Math.max(0, to)));
  };
  const point = ({ clientX, currentTarget }: PointerEvent): void => {
    const { left, width } = (currentTarget as Element).getBoundingClientRect();
    setAt(Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * bars.length))));
  };
  const shown = at === undefined ? undefined : bars[at];
  return (
    <div class={axis ? 'bars large' : 'bars'}>
      {axis && (
        <p class="highest" aria-hidden="true">
          {axis.top}
        </p>
      )}
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-readonly
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? last}
        aria-valuetext={shown?.text ?? summary}
        onKeyDown={walk}
        onBlur={() => setAt(undefined)}
        onPointerMove={point}
        onPointerLeave={() => setAt(undefined)}
      >
        <svg viewBox={`0 0 ${bars.length * STEP - GAP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {bars.map(({ key, parts }, i) => (
            <g key={key} class={i === at ? 'at' : ''}>
              <rect class="ground" x={i * STEP} y={HEIGHT - 1} width={STEP - GAP} height={1} />
              {stack(parts, highest).map(({ y, height }, part) => (
                <rect key={part} class={`part-${part}`} x={i * STEP} y={y} width={STEP - GAP} height={height} />
              ))}
            </g>
          ))}
        </svg>
      </div>
      {axis && (
        <p class="days" aria-hidden="true">
          {[0, last >> 1, last].map(i => (
            <span key={i}>{axis.days[i]}</span>
          ))}
        </p>
      )}
      <p class="hint">{shown?.text ?? summary}</p>
    </div>
  );
}

function stack(parts: readonly number[], highest: number): { y: number; height: number }[] {
  let top = HEIGHT;
  return parts.map(part => {
    const height = part > 0 ? Math.max(MIN_HEIGHT, (part / highest) * HEIGHT) : 0;
    top -= height;
    return { y: Math.max(0, top), height };
  });
}
