const WIDTH = 100;
const HEIGHT = 24;

/** A small curve of what the page has seen. The figure beside it says the same in words. */
export function Spark({ values }: { values: readonly number[] }) {
  const highest = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map((value, i) => `${i * step},${HEIGHT - 1 - (value / highest) * (HEIGHT - 2)}`);
  const line = values.length === 1 ? [...points, `${WIDTH},${points[0]?.split(',')[1]}`] : points;
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <polyline points={line.join(' ')} />
    </svg>
  );
}
