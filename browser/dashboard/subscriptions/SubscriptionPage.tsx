import { useEffect, useState } from 'preact/hooks';
import { formatDay } from '../../shared/format';
import { Chip } from '../../shared/ui/Chip';
import { PageHead } from '../../shared/ui/PageHead';
import { Shown } from '../../shared/ui/States';
import { type Loaded, useLoad } from '../api/useLoad';
import { MetadataSection } from '../metadata/MetadataSection';
import { planLabel } from '../plans/terms';
import { Adjustments, OwedCredit } from '../pricing/Adjustments';
import { NextCharge, pendingPlan } from '../pricing/NextCharge';
import { NotFound } from '../shell/NotFound';
import { canWrite } from '../shell/session';
import { ClockBar } from '../timeline/ClockBar';
import { GeneratedEvents } from '../timeline/GeneratedEvents';
import { useReveal } from '../timeline/hooks';
import { Timeline } from '../timeline/Timeline';
import { t as timelineTexts } from '../timeline/texts';
import type { TimelineData } from '../timeline/timelineData';
import { useClockMove } from '../timeline/useClockMove';
import { Section } from '../ui/Section';
import { t } from './pageTexts';
import { SubscriptionActions } from './SubscriptionActions';
import { eventsOf, SubscriptionFacts, SubscriptionTables } from './SubscriptionParts';
import { isSandbox, loadSubscription, type SubscriptionDetails } from './subscription';

const NOT_FOUND = 1005;

type Details = Awaited<ReturnType<typeof loadSubscription>>;

export function SubscriptionPage({ params: { id } }: { params: { id: string } }) {
  const [declinedFrom, setDeclinedFrom] = useState<string | undefined>();
  const [isComplete, setComplete] = useState(false);
  const page = useLoad(id, stop => loadSubscription(id, { declinedFrom, isComplete }, stop), {
    // An event of a charge does not contain its subscription.
    refreshOn: ({ object_id, name }) => object_id === id || name.includes('charge'),
  });
  const { reload } = page;
  useEffect(() => {
    if (page.data) reload();
  }, [declinedFrom, isComplete]);
  // The simulation does not apply to another subscription.
  useEffect(() => setDeclinedFrom(undefined), [id]);
  if (page.problem?.code === NOT_FOUND && !page.data) return <NotFound />;
  const showAll = isComplete ? undefined : () => setComplete(true);
  return (
    <Shown of={page} lines={10}>
      {details => (
        <SubscriptionView key={id} details={details} page={page} simulateDeclines={setDeclinedFrom} showAll={showAll} />
      )}
    </Shown>
  );
}

interface SubscriptionViewProps {
  details: Details;
  page: Loaded<Details>;
  simulateDeclines: (day: string | undefined) => void;
  showAll: (() => void) | undefined;
}

function SubscriptionView({ details, page: { reload }, simulateDeclines, showAll }: SubscriptionViewProps) {
  const { subscription, entries, plans } = details;
  const { plan, customer, status, history, id } = subscription;
  const clock = useClockMove(id, reload);
  const [target, choose] = useState<string | undefined>();
  const timeline = timelineOf(details);
  const revealedUntil = useReveal(entries, clock.moving !== undefined);
  const hasClock = isSandbox() && canWrite() && status !== 'cancelled';
  const isCut = entries[0]?.event !== 'created';
  const ids = new Set([id, ...entries.flatMap(({ transaction_id }) => transaction_id ?? [])]);
  const name = customer?.name ?? t.subscription;
  return (
    <>
      <PageHead
        title={`${name} · ${planLabel(plan, subscription.quantity)}`}
        action={<SubscriptionActions of={subscription} plans={plans} done={reload} />}
      >
        <Chip status={status} />
        {subscription.pause && status !== 'cancelled' && (
          <small>{t.pausedSince(formatDay(subscription.pause.since))}</small>
        )}
        {subscription.cancel_at_period_end && status !== 'cancelled' && <small>{t.endsWithPeriod}</small>}
      </PageHead>
      <p class="summary">
        {history.summary} {history.next}
      </p>
      {status === 'cancelled' && <OwedCredit of={subscription} done={reload} />}
      <Section title={timelineTexts.title} fields={['subscription.history', 'subscription.projection', 'clock']}>
        <Timeline
          timeline={timeline}
          revealedUntil={revealedUntil}
          simulateDeclines={simulateDeclines}
          clock={hasClock ? { target, choose } : undefined}
          showAll={isCut ? showAll : undefined}
        />
        {(hasClock || clock.since !== undefined) && (
          <ClockBar timeline={timeline} target={target} choose={choose} clock={clock} />
        )}
      </Section>
      {clock.since !== undefined && (
        <GeneratedEvents key={clock.since} ids={ids} revealedUntil={revealedUntil} latest={eventsOf(subscription)} />
      )}
      {status !== 'cancelled' && (
        <div class="pair even">
          <NextCharge of={subscription} plans={plans} done={reload} />
          <Adjustments of={subscription} done={reload} />
        </div>
      )}
      <SubscriptionFacts of={subscription} />
      <MetadataSection of={subscription.metadata} />
      <SubscriptionTables of={subscription} />
    </>
  );
}

function timelineOf({
  subscription,
  entries,
  now,
  declinedFrom,
  plans,
}: { subscription: SubscriptionDetails } & Omit<Details, 'subscription'>): TimelineData {
  const { history, projection, plan, pause, charge_date, status, cancel_at_period_end, pending_change } = subscription;
  const to = pendingPlan({ of: subscription, plans });
  return {
    entries,
    projection,
    interval: plan,
    change: pending_change && to ? { date: pending_change.date, to } : undefined,
    pause,
    declinedFrom,
    now,
    endsOn: history.end_date ?? (cancel_at_period_end && status !== 'cancelled' ? charge_date : undefined),
    isUnpaid: status === 'unpaid' && !cancel_at_period_end,
    endsWithRetries: plan.status_after_retry === 'cancelled',
  };
}
