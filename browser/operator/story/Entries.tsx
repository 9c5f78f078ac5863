import { useState } from 'preact/hooks';
import { formatSecond, formatWhole } from '../../shared/format';
import { Section } from '../../shared/ui/Facts';
import { LinkedText } from '../shell/ObjectId';
import type { Entry } from './operations';
import { t } from './texts';

interface EntriesProps {
  id: string;
  /** Oldest first, with the current state at the end. */
  entries: readonly Entry[];
}

/** The current state first, then what happened, newest first. */
export function Entries({ id, entries }: EntriesProps) {
  const [source, setSource] = useState('');
  const sources = [...new Set(entries.map(entry => entry.source))].sort();
  const shown = entries.filter(entry => source === '' || entry.source === source);
  const past = shown.filter(({ at }) => at !== null).reverse();
  const now = shown.filter(({ at }) => at === null);
  return (
    <>
      {now.length > 0 && (
        <Section title={t.now}>
          <List id={id} entries={now} />
        </Section>
      )}
      <Section
        title={t.timeline}
        action={
          <select class="sources" aria-label={t.source} onChange={event => setSource(event.currentTarget.value)}>
            <option value="">{t.all}</option>
            {sources.map(each => (
              <option key={each} value={each}>
                {t.sources[each] ?? each}
              </option>
            ))}
          </select>
        }
      >
        <p class="hint">{t.newest}.</p>
        {past.length === 0 ? <p>{t.nothing}</p> : <List id={id} entries={past} />}
      </Section>
    </>
  );
}

const List = ({ id, entries }: EntriesProps) => (
  <ol class="entries">
    {entries.map(({ at, source, text }, i) => (
      <li key={`${i} ${at} ${text}`} data-source={source}>
        {at !== null && (
          <time dateTime={at} title={formatWhole(at)}>
            {formatSecond(at)}
          </time>
        )}
        <span class="source">{t.sources[source] ?? source}</span>
        <span class="text">
          <LinkedText text={text} own={id} />
        </span>
      </li>
    ))}
  </ol>
);
