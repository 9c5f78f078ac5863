/** Summary for the operator on call: all is well, or the list of alerts. */
import circleCheck from 'lucide-static/icons/circle-check.svg';
import circleX from 'lucide-static/icons/circle-x.svg';
import triangleAlert from 'lucide-static/icons/triangle-alert.svg';
import { useEffect } from 'preact/hooks';
import { formatMoment } from '../../shared/format';
import { Icon } from '../../shared/ui/Icon';
import { type Operations, silentSince } from '../state';
import { t } from '../texts';
import { type Alert, alertsOf } from './alerts';

const signs = { good: circleCheck, warn: triangleAlert, bad: circleX };

export function Verdict({ operations }: { operations: Operations }) {
  const silence = silentSince.value;
  const silent: Alert[] = silence ? [{ tone: 'bad', text: t.noAnswer(formatMoment(silence)) }] : [];
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
            {alerts.map(({ tone: how, text }) => (
              <li key={text} class={how}>
                <Icon svg={signs[how]} />
                {text}
              </li>
            ))}
          </ul>
        )}
      </div>
      <p class="hint">{t.readAt(formatMoment(operations.now))}</p>
    </section>
  );
}
