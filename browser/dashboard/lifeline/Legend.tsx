import type { Sign } from './life';
import { Hatch, SignShape } from './Signs';
import { t } from './texts';

const SIGNS: Sign[] = ['paid', 'declined', 'planned', 'would-decline', 'unanswered', 'letter', 'note', 'end'];

export const Legend = () => (
  <ul class="life-legend">
    {SIGNS.map(sign => (
      <li key={sign}>
        <svg width="18" height="18" viewBox="-9 -9 18 18" aria-hidden="true">
          <SignShape sign={sign} />
        </svg>
        {t.legend[sign]}
      </li>
    ))}
    <li>
      <svg width="18" height="14" aria-hidden="true" class="life">
        <Hatch />
        <g class="period open">
          <rect x="1" y="1" width="16" height="12" rx="3" fill="url(#hatch)" />
        </g>
      </svg>
      {t.legend.owed}
    </li>
  </ul>
);
