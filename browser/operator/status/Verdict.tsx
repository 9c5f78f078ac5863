/** Summary for the operator on call: all is well, or the list of alerts. */
import circleCheck from 'lucide-static/icons/circle-check.svg';
import circleX from 'lucide-static/icons/circle-x.svg';
import triangleAlert from 'lucide-static/icons/triangle-alert.svg';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { formatMoment } from '../../shared/format';
import { Icon } from '../../shared/ui/Icon';
import { type Operations, silentSince } from '../state';
import { t } from '../texts';
import { type Alert, alertsOf } from './alerts';
import { t as alertTexts } from './alertTexts';

const signs = { good: circleCheck, warn: triangleAlert, bad: circleX };

export function Verdict({ operations }: { operations: Operations }) {
  const silence = silentSince.value;
  const { todo, noAnswer, open } = alertTexts;
  const silent: Alert[] = silence
    ? [{ tone: 'bad', text: noAnswer(formatMoment(silence)), todo: todo.noAnswer, consequences: [] }]
    : [];
  const alerts = [...silent, ...alertsOf(operations)];
  const tone = alerts[0]?.tone ?? 'good';
  const title = alerts.length === 0 ? t.fine : t.alerts(alerts.length);
  // The tab's title shows it while the page is in the background.
  useEffect(() => {
    document.title = `${alerts.length === 0 ? '✓' : '✕'} ${title} – recaudo`;
  }, [title, alerts.length]);
  return (
    <section class={`verdict ${tone}`} aria-label={t.title}>
      <div role="status">
        <h1>
          <Icon svg={signs[tone]} />
          {title}
        </h1>
        {alerts.length > 0 && (
          <ul>
            {alerts.map(({ tone: how, text, consequences, todo: what, path }) => (
              <li key={text} class={how}>
                <Icon svg={signs[how]} />
                <div>
                  <strong>{text}</strong>
                  {consequences.length > 0 && (
                    <ul class="consequences">
                      {consequences.map(each => (
                        <li key={each}>{each}</li>
                      ))}
                    </ul>
                  )}
                  <p class="hint">
                    {todo.label} {what} {path && <Link href={path}>{open}</Link>}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
      <p class="hint">{t.readAt(formatMoment(operations.now))}</p>
    </section>
  );
}
