import { useEffect, useState } from 'preact/hooks';
import { Chip } from '../../shared/ui/Chip';
import { Shown } from '../../shared/ui/States';
import { type Loaded, useLoad } from '../api/useLoad';
import { ClockBar } from '../lifeline/ClockBar';
import { Fallout } from '../lifeline/Fallout';
import { useFalling } from '../lifeline/hooks';
import { LifeLine } from '../lifeline/LifeLine';
import type { Life } from '../lifeline/life';
import { t as lifeTexts } from '../lifeline/texts';
import { useClockMove } from '../lifeline/useClockMove';
import { NotFound } from '../shell/NotFound';
import { mayChange } from '../shell/session';
import { PageHead } from '../ui/PageHead';
import { Section } from '../ui/Section';
import { t } from './pageTexts';
import { SubscriptionActions } from './SubscriptionActions';
import { eventsOf, SubscriptionFacts, SubscriptionTables } from './SubscriptionParts';
import { isSandbox, loadSubscription, type SubscriptionDetails } from './subscription';

const NOT_FOUND = 1005;

type Details = Awaited<ReturnType<typeof loadSubscription>>;

export function SubscriptionPage({ params: { id } }: { params: { id: string } }) {
  const [declinedFrom, setDeclinedFrom] = useState<string | undefined>();
  const [isWhole, setWhole] = useState(false);
  const page = useLoad(id, stop => loadSubscription(id, { declinedFrom, isWhole }, stop), {
    // An event of a charge does not contain its subscription.
    refreshOn: ({ object_id, type }) => object_id === id || type.includes('charge'),
  });
  const { reload } = page;
  useEffect(() => {
    if (page.data) reload();
  }, [declinedFrom, isWhole]);
  // The simulation does not apply to another subscription.
  useEffect(() => setDeclinedFrom(undefined), [id]);
  if (page.problem?.code === NOT_FOUND && !page.data) return <NotFound />;
  const showAll = isWhole ? undefined : () => setWhole(true);
  return (
    <Shown of={page} lines={10}>
      {details => <Whole key={id} details={details} page={page} assume={setDeclinedFrom} showAll={showAll} />}
    </Shown>
  );
}

interface WholeProps {
  details: Details;
  page: Loaded<Details>;
  assume: (day: string | undefined) => void;
  showAll: (() => void) | undefined;
}

function Whole({ details, page: { reload }, assume, showAll }: WholeProps) {
  const { subscription } = details;
  const { plan, customer, status, history, id } = subscription;
  const clock = useClockMove(id, reload);
  const [target, choose] = useState<string | undefined>();
  const life = lifeOf(details);
  const fallenUntil = useFalling(history.entries, clock.moving !== undefined);
  const hasClock = isSandbox() && mayChange() && status !== 'cancelled';
  const isCut = history.entries[0]?.event !== 'created';
  const ids = new Set([id, ...history.entries.flatMap(({ transaction_id }) => transaction_id ?? [])]);
  const name = customer?.name ?? t.subscription;
  return (
    <>
      <PageHead title={`${name} · ${plan.name}`} action={<SubscriptionActions of={subscription} done={reload} />}>
        <Chip status={status} />
        {subscription.cancel_at_period_end && status !== 'cancelled' && <small>{t.endsWithPeriod}</small>}
      </PageHead>
      <p class="summary">
        {history.summary} {history.next}
      </p>
      <Section title={lifeTexts.title} fields={['subscription.history', 'subscription.projection', 'clock']}>
        <LifeLine
          life={life}
          fallenUntil={fallenUntil}
          assume={assume}
          clock={hasClock ? { target, choose } : undefined}
          showAll={isCut ? showAll : undefined}
        />
        {(hasClock || clock.since !== undefined) && (
          <ClockBar life={life} target={target} choose={choose} clock={clock} />
        )}
      </Section>
      {clock.since !== undefined && (
        <Fallout key={clock.since} ids={ids} fallenUntil={fallenUntil} latest={eventsOf(subscription)} />
      )}
      <SubscriptionFacts of={subscription} />
      <SubscriptionTables of={subscription} />
    </>
  );
}

function lifeOf({
  subscription,
  now,
  declinedFrom,
}: { subscription: SubscriptionDetails } & Omit<Details, 'subscription'>): Life {
  const { history, projection, plan, charge_date, status, cancel_at_period_end } = subscription;
  return {
    entries: history.entries,
    projection,
    declinedFrom,
    now,
    endsOn: history.end_date ?? (cancel_at_period_end && status !== 'cancelled' ? charge_date : undefined),
    isUnpaid: status === 'unpaid' && !cancel_at_period_end,
    endsWithRetries: plan.status_after_retry === 'cancelled',
  };
}
