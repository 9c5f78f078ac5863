import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { formatDay, formatMoney, formatNumber, formatPercent } from '../../shared/format';
import { Bars } from '../../shared/ui/Bars';
import { Money } from '../../shared/ui/Figures';
import { ShowQuery } from '../developer/ShowQuery';
import type { Stats } from './query';
import { Share } from './Share';
import { approvalOf, monthlyAtRisk, volumeOf } from './sums';
import { t } from './texts';

interface FigureProps {
  title: string;
  href: string;
  fields: readonly string[];
  value: ComponentChildren;
  children: ComponentChildren;
}

const Figure = ({ title, href, fields, value, children }: FigureProps) => (
  <section class="card figure-card" aria-label={title}>
    <h2>
      <Link href={href}>{title}</Link>
    </h2>
    <ShowQuery name={title} fields={fields} />
    <p class="figure">{value}</p>
    {children}
  </section>
);

export function Figures({ stats }: { stats: Stats }) {
  const { days, to, renewals_today, renewals, subscriptions, upcoming } = stats;
  const today = days.slice(-1);
  const [now] = upcoming;
  const [rate, rateOfAll] = [approvalOf(today), approvalOf(days)];
  const { trial, active, past_due, unpaid } = subscriptions;
  const toCome = now?.charges ?? 0;
  const { paid, declined, first_charges } = renewals_today;
  const due = paid + declined + toCome;
  return (
    <div class="figures">
      <Figure
        title={t.volume}
        href={`/charges?created=${to}..${to}`}
        fields={['stats.days.day', 'stats.days.volume', 'stats.days.paid']}
        value={<Money amount={volumeOf(today)} />}
      >
        <Bars
          label={t.byDay(t.volume)}
          summary={t.lastDays(days.length, formatMoney(volumeOf(days)))}
          bars={days.map(({ day, volume, paid }) => ({
            key: day,
            parts: [volume],
            text: t.dayVolume(formatDay(day), formatMoney(volume), paid),
          }))}
        />
      </Figure>
      <Figure
        title={t.approval}
        fields={['stats.days.day', 'stats.days.paid', 'stats.days.failed']}
        href={`/charges?created=${to}..${to}`}
        value={rate === undefined ? '–' : formatPercent(rate)}
      >
        <Bars
          label={t.byDay(t.approval)}
          summary={rateOfAll === undefined ? t.noneYet : t.approvalOf(formatPercent(rateOfAll), days.length)}
          bars={days.map(({ day, paid, failed }) => ({
            key: day,
            parts: [paid, failed],
            text: t.dayApproval(formatDay(day), paid, failed),
          }))}
        />
      </Figure>
      <Figure
        title={t.renewals}
        fields={['stats.renewals_today', 'stats.upcoming']}
        href={`/subscriptions?status=trial,active&next=..${to}`}
        value={due === 0 ? '–' : t.renewalsOf(formatNumber(paid), formatNumber(due))}
      >
        <Share
          parts={[
            { tone: 'accent', count: paid },
            { tone: 'bad', count: declined },
          ]}
          of={due}
        />
        <p class="hint">
          {t.renewalCounts(paid, declined, toCome)}
          {toCome > 0 && ` (${formatMoney(now?.amount ?? 0)})`}
          {first_charges > 0 && `; ${t.firstCharges(first_charges)}`}
        </p>
      </Figure>
      <Figure
        title={t.atRisk}
        href="/subscriptions?status=past_due"
        fields={['stats.subscriptions', 'stats.plans', 'stats.renewals']}
        value={formatNumber(past_due)}
      >
        <Share
          parts={[
            { tone: 'good', count: active },
            { tone: 'info', count: trial },
            { tone: 'warn', count: past_due },
            { tone: 'bad', count: unpaid },
          ]}
        />
        <p class="hint">
          {past_due > 0 ? `${t.perMonth(formatMoney(monthlyAtRisk(stats)))}; ` : ''}
          {renewals.declined > 0 ? t.recovered(renewals.recovered, renewals.declined, days.length) : t.noneDeclined}
        </p>
      </Figure>
    </div>
  );
}
