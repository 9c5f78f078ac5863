import { Link } from 'wouter-preact';
import { formatDay } from '../../shared/format';
import { sentenceOf, t } from './texts';
import type { TimelineItem } from './timelineData';

/** The entries of the drawing as a table. */
export const TimelineTable = ({ items }: { items: readonly TimelineItem[] }) => (
  <details class="timeline-table">
    <summary>{t.asTable}</summary>
    <table class="table" aria-label={t.title}>
      <thead>
        <tr>
          <th scope="col">{t.day}</th>
          <th scope="col">{t.what}</th>
          <th scope="col" class="number">
            {t.period}
          </th>
          <th scope="col">{t.state}</th>
        </tr>
      </thead>
      <tbody>
        {items.map(item => {
          const { key, day, period, mark, isPlanned, entry } = item;
          const sentence = sentenceOf(item);
          return (
            <tr key={key} data-planned={isPlanned}>
              <td data-name={t.day}>{formatDay(day)}</td>
              <td data-name={t.what}>
                {entry?.transaction_id ? <Link href={`/charges/${entry.transaction_id}`}>{sentence}</Link> : sentence}
              </td>
              <td data-name={t.period} class="number">
                {period}
              </td>
              <td data-name={t.state}>{t.legend[mark]}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  </details>
);
