import triangleAlert from 'lucide-static/icons/triangle-alert.svg';
import { Link } from 'wouter-preact';
import { Icon } from '../../shared/ui/Icon';
import { Section } from '../ui/Section';
import type { Issue } from './findIssues';
import { t } from './issueTexts';

const CHECKED_FIELDS = [
  'merchant',
  'webhooks',
  'underWay',
  'chargebacks',
  'soon',
  'owed',
  'settlements',
  'failedPayouts',
  'keys',
  'liveRequest',
];

export const Issues = ({ issues }: { issues: readonly Issue[] }) => (
  <Section title={issues.length > 0 ? `${t.title} (${issues.length})` : t.title} fields={CHECKED_FIELDS}>
    {issues.length === 0 ? (
      <p class="hint">{t.nothing}</p>
    ) : (
      <ul class="issues">
        {issues.map(({ key, tone, text, href, items = [] }) => (
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
