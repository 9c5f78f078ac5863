import { useLocation } from 'wouter-preact';
import { type SentQuery, sentQueries } from '../../shared/api/ask';
import { Button } from '../../shared/ui/Button';
import { notify } from '../../shared/ui/notices';
import { session } from '../shell/session';
import { figure } from './figure';
import { asCurl, explorerUrl, operationName, tidyQuery, variablesText } from './operation';
import { t } from './texts';

const copy = (text: string, done: string): Promise<void> =>
  navigator.clipboard.writeText(text).then(
    () => notify(done),
    () => notify(text),
  );

export function Queries() {
  useLocation();
  const isHere = ({ path }: SentQuery): boolean => path === location.pathname;
  const here = sentQueries.value.filter(isHere);
  const earlier = sentQueries.value.filter(entry => !isHere(entry));
  const chosen = figure.value?.path === location.pathname ? figure.value : undefined;
  return (
    <>
      {chosen && (
        <section class="of-figure" aria-label={t.ofFigure(chosen.name)}>
          <h3>{t.ofFigure(chosen.name)}</h3>
          <Taken of={chosen} />
        </section>
      )}
      <p class="hint">{here.length > 0 ? t.queriesHint : t.none}</p>
      {here.map((entry, i) => (
        <Query key={entry.id} of={entry} isOpen={i === 0 && !chosen} />
      ))}
      {earlier.length > 0 && <h3>{t.earlier}</h3>}
      {earlier.map(entry => (
        <Query key={entry.id} of={entry} />
      ))}
    </>
  );
}

const Query = ({ of, isOpen = false }: { of: SentQuery; isOpen?: boolean }) => (
  <details class="entry" open={isOpen}>
    <summary>
      <strong>{operationName(of)}</strong>
      <small>{of.problem === undefined ? t.ms(of.ms) : `${t.failed}: ${of.problem}`}</small>
    </summary>
    <Taken of={of} />
  </details>
);

function Taken({ of }: { of: Pick<SentQuery, 'query' | 'variables'> }) {
  const variables = variablesText(of);
  const query = tidyQuery(of.query);
  return (
    <>
      <pre>{query}</pre>
      {variables && (
        <>
          <h4>{t.variables}</h4>
          <pre>{variables}</pre>
        </>
      )}
      <div class="actions">
        <Button type="button" onClick={() => copy(query, t.copiedQuery)}>
          {t.copy}
        </Button>
        <Button type="button" onClick={() => copy(asCurl(of), t.copied)}>
          {t.copyCurl}
        </Button>
        {session.value?.environment === 'sandbox' && (
          <a class="button" href={explorerUrl(of)} target="_blank" rel="noreferrer">
            {t.open}
          </a>
        )}
      </div>
    </>
  );
}
