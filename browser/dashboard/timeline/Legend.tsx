import { Hatch, MarkShape } from './Marks';
import { t } from './texts';
import type { Mark, TimelineItem } from './timelineData';

const MARKS: Mark[] = ['paid', 'declined', 'planned', 'would-decline', 'unanswered', 'email', 'note', 'end'];
/** Explained only where they are drawn. */
const FURTHER: Mark[] = ['covered', 'plan', 'coupon', 'extra'];

export const Legend = ({ items }: { items: readonly TimelineItem[] }) => (
  <ul class="timeline-legend">
    {[...MARKS, ...FURTHER.filter(mark => items.some(item => item.mark === mark))].map(mark => (
      <li key={mark}>
        <svg width="18" height="18" viewBox="-9 -9 18 18" aria-hidden="true">
          <MarkShape mark={mark} />
        </svg>
        {t.legend[mark]}
      </li>
    ))}
    <li>
      <svg width="18" height="14" aria-hidden="true" class="timeline">
        <Hatch />
        <g class="period open">
          <rect x="1" y="1" width="16" height="12" rx="3" fill="url(#hatch)" />
        </g>
      </svg>
      {t.legend.owed}
    </li>
  </ul>
);
