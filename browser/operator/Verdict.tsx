/** Summary for the operator on call: all is well, or the list of problems. */
import circleCheck from 'lucide-static/icons/circle-check.svg';
import circleX from 'lucide-static/icons/circle-x.svg';
import triangleAlert from 'lucide-static/icons/triangle-alert.svg';
import { useEffect } from 'preact/hooks';
import { formatMoment } from '../shared/format';
import { Icon } from '../shared/ui/Icon';
import { type Operations, silentSince } from './state';
import { t } from './texts';
import { type Wrong, wrongsOf } from './wrongs';

const signs = { good: circleCheck, warn: triangleAlert, bad: circleX };

export function Verdict({ operations }: { operations: Operations }) {
  const silence = silentSince.value;
  const silent: Wrong[] = silence ? [{ tone: 'bad', text: t.noAnswer(formatMoment(silence)) }] : [];
  const wrongs = [...silent, ...wrongsOf(operations)];
  const tone = wrongs[0]?.tone ?? 'good';
  const title = wrongs.length === 0 ? t.fine : t.wrong(wrongs.length);
  // The tab's title shows it while the page is in the background.
  useEffect(() => {
    document.title = `${wrongs.length === 0 ? '✓' : '✕'} ${title} – recaudo`;
  }, [title, wrongs.length]);
  return (
    <section class={`verdict ${tone}`} aria-label={t.title}>
      <div role="status">
        <h1>
          <Icon svg={signs[tone]} />
          {title}
        </h1>
        {wrongs.length > 0 && (
          <ul>
            {wrongs.map(({ tone: how, text }) => (
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
