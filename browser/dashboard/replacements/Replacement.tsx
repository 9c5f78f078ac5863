/** The latest replacement of a plan, with its progress. */
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { formatMoney, formatNumber } from '../../shared/format';
import { Chip } from '../../shared/ui/Chip';
import { Facts } from '../../shared/ui/Facts';
import { Moment, Money, Whole } from '../../shared/ui/Figures';
import type { Loaded } from '../api/useLoad';
import { useQuery } from '../api/useQuery';
import { planPeriod } from '../plans/terms';
import { Ref } from '../ui/Ref';
import { Section } from '../ui/Section';
import { REPLACEMENT, type Replacement } from './operations';
import { t } from './texts';

/** Batches of a replacement emit no events. */
const AGAIN_MS = 1500;

/** Null in the data of a plan that was never replaced. */
export function useReplacement(id: string): Loaded<{ planReplacement: Replacement | null }> {
  const loaded = useQuery(REPLACEMENT, { id }, { optionalFields: ['planReplacement'] });
  const isRunning = loaded.data?.planReplacement?.status === 'running';
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(loaded.refresh, AGAIN_MS);
    return () => clearInterval(timer);
  }, [isRunning, loaded.refresh]);
  return loaded;
}

export function ReplacementSection({ of }: { of: Replacement }) {
  const { status, total, done, skipped, successor, current_amount, new_amount } = of;
  const isRunning = status === 'running';
  const sum = (amount: number) => total > 0 && successor && `${formatMoney(amount)} ${planPeriod(successor)}`;
  return (
    <Section
      title={t.title}
      fields={['planReplacement']}
      action={<Chip status={status} tone={isRunning ? 'info' : 'good'} name={isRunning ? t.running : t.finished} />}
    >
      {isRunning && <progress aria-label={t.title} max={total} value={done + skipped} />}
      <Facts
        of={[
          [t.successor, successor && <Successor of={successor} />],
          [t.subscribers, total > 0 ? t.ofTotal(formatNumber(done), formatNumber(total)) : t.noneChange],
          [t.now, sum(current_amount)],
          [t.afterwards, sum(new_amount)],
          [t.started, of.creation_date && <Moment at={of.creation_date} />],
          [t.finishedAt, of.finished_at && <Moment at={of.finished_at} />],
        ]}
      />
      {skipped > 0 && <Skipped of={of} />}
    </Section>
  );
}

const Successor = ({ of: plan }: { of: NonNullable<Replacement['successor']> }) => (
  <>
    <Link href={`/plans/${plan.id}`}>{plan.name}</Link>{' '}
    <Whole>
      <Money amount={plan.amount} /> {planPeriod(plan)}
    </Whole>
  </>
);

const Skipped = ({ of: { skipped, skipped_subscriptions: listed } }: { of: Replacement }) => (
  <details>
    <summary>{t.skipped(formatNumber(skipped))}</summary>
    <ul class="plain skipped">
      {listed.map(({ subscription_id, reason }) => (
        <li key={subscription_id}>
          <Ref id={subscription_id} /> <span>{t.reasons[reason]}</span>
        </li>
      ))}
    </ul>
    {listed.length < skipped && <p class="hint">{t.first(formatNumber(listed.length))}</p>}
  </details>
);
