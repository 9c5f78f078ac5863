import { Link } from 'wouter-preact';
import { formatDay, formatMoney, formatPercent, formatShortDay } from '../../shared/format';
import { Bars } from '../../shared/ui/Bars';
import { Money } from '../../shared/ui/Figures';
import { methodName } from '../charges/texts';
import { planLabel } from '../plans/terms';
import { Section } from '../ui/Section';
import type { Stats } from './query';
import { Share } from './Share';
import { upcomingOf } from './sums';
import { t } from './texts';

const MAX_SHOWN = 6;

export function Declines({ stats: { declines, days } }: { stats: Stats }) {
  const most = declines[0]?.failed ?? 1;
  return (
    <Section title={t.declines} fields={['stats.declines']} action={<small>{t.declinesSpan(days.length)}</small>}>
      {declines.length === 0 && <p class="hint">{t.noDeclines(days.length)}</p>}
      <ul class="ranking">
        {declines.slice(0, MAX_SHOWN).map(({ error_code, description, failed }) => (
          <li key={error_code}>
            <Link href={`/charges?status=failed&reason=${error_code}`}>{t.reasons[error_code] ?? description}</Link>
            <span class="number">{t.times(failed)}</span>
            <Share parts={[{ tone: 'bad', count: failed }]} of={most} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The declined periods that have been paid since, by way. */
export function Recovery({ stats: { renewals, days } }: { stats: Stats }) {
  const { declined, recovered, recovered_amount, recovery_rate, median_hours, average_hours, ways } = renewals;
  return (
    <Section title={t.recovery} fields={['stats.renewals']} action={<small>{t.declinesSpan(days.length)}</small>}>
      {declined === 0 ? (
        <p class="hint">{t.nothingDeclined(days.length)}</p>
      ) : (
        <>
          <p class="figure">
            <Money amount={recovered_amount} />
          </p>
          <p class="hint">
            {t.recoveredShare(recovered, declined, recovery_rate ?? 0)}
            {median_hours !== null &&
              average_hours !== null &&
              `; ${t.recoveryTime(duration(median_hours), duration(average_hours))}`}
          </p>
        </>
      )}
      <ul class="ranking">
        {ways.map(({ way, recovered, recovered_amount, recovery_rate, median_hours }) => (
          <li key={way}>
            <span>
              {way === 'retry' || way === 'new_card' ? t.ways[way] : methodName(way)}
              {median_hours !== null && <small class="hint"> {duration(median_hours)}</small>}
            </span>
            <span class="number">{`${formatMoney(recovered_amount)} · ${formatPercent(recovery_rate / 100)}`}</span>
            <Share parts={[{ tone: 'good', count: recovered }]} of={declined} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** In days from two of them on. */
const duration = (hours: number): string => (hours < 48 ? t.hours(hours) : t.days(Math.round(hours / 24)));

export function Upcoming({ stats: { upcoming } }: { stats: Stats }) {
  const sum = upcomingOf(upcoming);
  const highest = Math.max(...upcoming.map(({ amount }) => amount));
  return (
    <Section title={t.upcoming} fields={['stats.upcoming']}>
      {sum === 0 ? (
        <p class="hint">{t.noUpcoming}</p>
      ) : (
        <Bars
          axis={{ top: formatMoney(highest), days: upcoming.map(({ day }) => formatShortDay(day)) }}
          label={t.byDay(t.upcoming)}
          summary={t.upcomingSum(formatMoney(sum), upcoming.length)}
          bars={upcoming.map(({ day, charges, amount }) => ({
            key: day,
            parts: [amount],
            text: t.dayUpcoming(formatDay(day), formatMoney(amount), charges),
          }))}
        />
      )}
    </Section>
  );
}

export function Revenue({ stats }: { stats: Stats }) {
  const { mrr, plans, days, new_subscriptions, lost_subscriptions } = stats;
  const earning = plans.filter(plan => plan.mrr > 0).sort((a, b) => b.mrr - a.mrr);
  const most = earning[0]?.mrr ?? 1;
  return (
    <Section
      title={t.revenue}
      fields={['stats.mrr', 'stats.plans', 'stats.new_subscriptions', 'stats.lost_subscriptions']}
    >
      <p class="figure">
        <Money amount={mrr} />
      </p>
      <p class="hint">{t.newAndLost(new_subscriptions, lost_subscriptions, days.length)}</p>
      {earning.length === 0 && <p class="hint">{t.noPlans}</p>}
      <ul class="ranking">
        {earning.slice(0, MAX_SHOWN).map(plan => (
          <li key={plan.plan_id}>
            <Link href={`/plans/${plan.plan_id}`}>{planLabel(plan)}</Link>
            <span class="number">{formatMoney(plan.mrr)}</span>
            <Share parts={[{ tone: 'accent', count: plan.mrr }]} of={most} />
          </li>
        ))}
      </ul>
      {earning.length > MAX_SHOWN && <Link href="/plans">{t.plansLeft(earning.length - MAX_SHOWN)}</Link>}
    </Section>
  );
}
