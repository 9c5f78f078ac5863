import { Link } from 'wouter-preact';
import { formatDay } from '../../shared/format';
import { Chip } from '../../shared/ui/Chip';
import { Facts, Id } from '../../shared/ui/Facts';
import { Day, Moment, Money } from '../../shared/ui/Figures';
import type { TableColumn } from '../../shared/ui/Table';
import { ivaLabel } from '../charges/iva';
import { TableSection } from '../lists/TableSection';
import { planPeriod } from '../plans/terms';
import { Section } from '../ui/Section';
import { nextCharge } from './nextCharge';
import { t } from './pageTexts';
import type { SubscriptionDetails } from './subscription';

const FACTS = [
  'plan',
  'current_period_number',
  'period_end_date',
  'charge_date',
  'pause',
  'next_retry_date',
  'retries_left',
  'waiting_for',
  'iva',
].map(field => `subscription.${field}`);

export function SubscriptionFacts({ of }: { of: SubscriptionDetails }) {
  const { plan, customer, card, status } = of;
  const next = nextCharge(of);
  return (
    <Section title={t.facts} fields={FACTS}>
      <Facts
        of={[
          [t.customer, customer ? <Link href={`/customers/${customer.id}`}>{customer.name}</Link> : t.deletedCustomer],
          [t.plan, <Link href={`/plans/${plan.id}`}>{plan.name}</Link>],
          [
            t.price,
            <>
              {of.quantity > 1 && `${of.quantity} × `}
              <Money amount={plan.amount} /> {planPeriod(plan)}
            </>,
          ],
          [ivaLabel, of.iva ?? plan.iva],
          [t.card, `${card.brand} ${card.card_number.slice(-4)}, ${card.expiration_month}/${card.expiration_year}`],
          [t.period, t.periodUntil(of.current_period_number, formatDay(of.period_end_date))],
          [t.nextCharge, next ? <Day on={next} /> : t.none],
          [
            t.pause,
            of.pause &&
              t.pausedFrom(formatDay(of.pause.since), of.pause.resume_date && formatDay(of.pause.resume_date)),
          ],
          [t.nextRetry, of.next_retry_date && <Day on={of.next_retry_date} />],
          [t.retriesLeft, of.retries_left],
          [t.waitingFor, of.waiting_for && t.waits[of.waiting_for]],
          [t.trialEnd, status === 'trial' ? <Day on={of.trial_end_date} /> : null],
          [t.lastError, of.error_code && errorTexts(of).get(of.transaction_id ?? '')],
          [t.created, <Moment at={of.creation_date} />],
          [t.id, <Id id={of.id} />],
        ]}
      />
    </Section>
  );
}

/** Decline descriptions of the history, by charge. */
const errorTexts = ({ history }: SubscriptionDetails): Map<string, string> =>
  new Map(
    history.entries.nodes
      .filter(({ error_code }) => error_code !== null)
      .map(({ transaction_id, description }) => [transaction_id ?? '', description]),
  );

type Charge = SubscriptionDetails['charges']['edges'][number]['node'];
const chargeColumns = (said: ReadonlyMap<string, string>): TableColumn<Charge>[] => [
  { key: 'date', name: t.date, cell: of => <Moment at={of.creation_date} /> },
  { key: 'status', name: t.status, cell: of => <Chip status={of.status} /> },
  { key: 'said', name: t.said, cell: ({ id }) => said.get(id) },
  { key: 'amount', name: t.amount, cell: of => <Money amount={of.amount} />, isNumber: true },
];

type Event = SubscriptionDetails['events']['edges'][number]['node'];
const eventColumns: TableColumn<Event>[] = [
  { key: 'type', name: t.event, cell: of => of.name },
  { key: 'date', name: t.date, cell: of => <Moment at={of.event_date} /> },
];

/** Events of the subscription and its charges, newest first. */
export const eventsOf = ({ events, charges }: SubscriptionDetails): Event[] =>
  [events, ...charges.edges.map(({ node }) => node.events)]
    .flatMap(({ edges }) => edges.map(({ node }) => node))
    .sort((a, b) => b.event_date.localeCompare(a.event_date));

export function SubscriptionTables({ of }: { of: SubscriptionDetails }) {
  const charges = of.charges.edges.map(({ node }) => node);
  const events = eventsOf(of);
  return (
    <div class="pair">
      <TableSection
        label={t.charges}
        columns={chargeColumns(errorTexts(of))}
        rows={charges}
        keyOf={({ id }) => id}
        href={({ id }) => `/charges/${id}`}
        empty={t.noCharges}
        fields={['subscription.charges']}
      />
      <TableSection
        label={t.events}
        columns={eventColumns}
        rows={events}
        keyOf={({ id }) => id}
        href={({ id }) => `/events/${id}`}
        empty={t.noEvents}
        fields={['subscription.events', 'subscription.charges']}
      />
    </div>
  );
}
