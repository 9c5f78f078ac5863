/** The figures of an environment, each with a small curve. */
import type { ComponentChildren } from 'preact';
import { formatNumber, formatPercent, formatTime } from '../../shared/format';
import { Bars } from '../../shared/ui/Bars';
import { ActionButtons } from '../actions/ActionButtons';
import { type Figures, type Minute, seen, watch } from '../state';
import { duration, environmentName, t } from '../texts';
import { Spark } from './Spark';

const Card = ({
  title,
  value,
  hint,
  tone = '',
  children,
}: {
  title: string;
  value: string;
  hint?: string;
  tone?: '' | 'warn' | 'bad';
  children?: ComponentChildren;
}) => (
  <section class={`card figure-card ${tone}`} aria-label={title}>
    <h3>{title}</h3>
    <p class="figure">{value}</p>
    {children}
    {hint !== undefined && <p class="hint">{hint}</p>}
  </section>
);

type Counted = 'overdue_seconds' | 'unknowns' | 'outbox_seconds' | 'deliveries';

interface EnvironmentCardsProps {
  figures: Figures;
  /** Whether the billing of the whole environment is on hold. */
  isHeld: boolean;
}

export function EnvironmentCards({ figures, isHeld }: EnvironmentCardsProps) {
  const { environment, minutes, overdue, overdue_seconds, unknowns, outbox_rows, outbox_seconds, deliveries } = figures;
  const curve = (name: Counted): number[] =>
    seen.value.map(all => all.find(each => each.environment === environment)?.[name] ?? 0);
  const sum = (part: keyof Omit<Minute, 'at'>): number => minutes.reduce((total, minute) => total + minute[part], 0);
  // The minute that is over: the one that runs is not whole.
  const last = minutes.at(-2);
  const [charged, declined] = [sum('charged'), sum('declined')];
  const bars = (parts: (minute: Minute) => number[]) =>
    minutes.map(minute => ({
      key: minute.at,
      parts: parts(minute),
      text: t.minute(
        formatTime(minute.at),
        formatNumber(minute.charged),
        formatNumber(minute.declined),
        formatNumber(minute.unanswered),
      ),
    }));
  return (
    <section class="environment" aria-label={environmentName(environment)}>
      <header>
        <h2>{environmentName(environment)}</h2>
        <ActionButtons
          id="everything"
          environment={environment}
          actions={[isHeld ? 'release' : 'hold']}
          reload={watch}
        />
      </header>
      <div class="figures">
        <Card title={t.renewals} value={formatNumber(last?.charged ?? 0)}>
          <Bars
            label={`${t.renewals}, ${environmentName(environment)}`}
            summary={t.hour(formatNumber(charged), formatNumber(declined))}
            bars={bars(minute => [minute.charged, minute.declined])}
          />
        </Card>
        <Card title={t.declines} value={formatNumber(last?.declined ?? 0)}>
          <Bars
            label={`${t.declines}, ${environmentName(environment)}`}
            summary={t.hourDeclined(formatPercent(declined / Math.max(1, charged + declined)))}
            bars={bars(minute => [0, minute.declined])}
          />
        </Card>
        <Card
          title={t.late}
          value={overdue > 0 ? duration(overdue_seconds) : t.none}
          hint={overdue > 0 ? t.lateHint(formatNumber(overdue)) : t.onTime}
          tone={overdue > 0 ? 'warn' : ''}
        >
          <Spark values={curve('overdue_seconds')} />
        </Card>
        <Card title={t.unknown} value={formatNumber(unknowns)} hint={t.asked} tone={unknowns > 0 ? 'warn' : ''}>
          <Spark values={curve('unknowns')} />
        </Card>
        <Card title={t.outbox} value={duration(outbox_seconds)} hint={t.outboxHint(formatNumber(outbox_rows))}>
          <Spark values={curve('outbox_seconds')} />
        </Card>
        <Card title={t.deliveries} value={formatNumber(deliveries)}>
          <Spark values={curve('deliveries')} />
        </Card>
      </div>
    </section>
  );
}
