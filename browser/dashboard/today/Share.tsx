/** A stacked bar; decorative, since the text beside it has the figures. */
const LENGTH = 1000;

interface ShareProps {
  parts: readonly { tone: 'good' | 'warn' | 'bad' | 'info' | 'accent'; count: number }[];
  /** The total (default: the sum of the parts). */
  of?: number;
}

export function Share({ parts, of }: ShareProps) {
  const all = Math.max(
    1,
    of ?? 0,
    parts.reduce((sum, { count }) => sum + count, 0),
  );
  let x = 0;
  return (
    <svg class="share" viewBox={`0 0 ${LENGTH} 10`} preserveAspectRatio="none" aria-hidden="true">
      <rect class="ground" width={LENGTH} height={10} />
      {parts.map(({ tone, count }) => {
        const width = (count / all) * LENGTH;
        x += width;
        return <rect key={tone} class={tone} x={x - width} width={width} height={10} />;
      })}
    </svg>
  );
}
