import triangleAlert from 'lucide-static/icons/triangle-alert.svg';
import { Link } from 'wouter-preact';
import { Icon } from '../../shared/ui/Icon';
import { Section } from '../ui/Section';
import type { Need } from './findNeeds';
import { t } from './needTexts';

const LOOKED_AT = [
  'merchant',
  'webhooks',
  'underWay',
  'chargebacks',
  'soon',
  'settlements',
  'failedPayouts',
  'keys',
  'liveRequest',
];

export const Needs = ({ needs }: { needs: readonly Need[] }) => (
  <Section title={needs.length > 0 ? `${t.title} (${needs.length})` : t.title} fields={LOOKED_AT}>
    {needs.length === 0 ? (
      <p class="hint">{t.nothing}</p>
    ) : (
      <ul class="needs">
        {needs.map(({ key, tone, text, href, items = [] }) => (
          <li key={key} class={tone}>
            <Icon svg={triangleAlert} />
            {items.length > 1 ? (
              <details>
                <summary>{text}</summary>
                <ul>
                  {items.map(item => (
                    <li key={item.href}>
                      <Link href={item.href}>{item.text}</Link>
                    </li>
                  ))}
                </ul>
              </details>
            ) : (
              <>
                <span>{text}</span>
                <Link href={href} aria-label={`${t.look}: ${text}`}>
                  {t.look}
                </Link>
              </>
            )}
          </li>
        ))}
      </ul>
    )}
  </Section>
);
