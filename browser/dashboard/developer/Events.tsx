import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { graphql } from '../../shared/api/graphql';
import { Moment } from '../../shared/ui/Figures';
import { Shown } from '../../shared/ui/States';
import { type LiveEvent, liveEvents } from '../api/live';
import { useQuery } from '../api/useQuery';
import { t } from './texts';

const EVENT = graphql(`
  query EventJson($id: ID!) {
    event(event_id: $id) {
      id
      type: name
      event_date
      object_id
      object {
        __typename
        ... on Transaction {
          id amount currency transaction_status: status method order_id description payer_id: customer_id subscription_id
          authorization error_code error_message creation_date operation_date
        }
        ... on CustomerSubscription {
          id subscription_status: status customer_id plan_id charge_date period_end_date current_period_number
          cancel_at_period_end retries_left transaction_id creation_date
        }
        ... on Payout { id amount payout_status: status creation_date }
        ... on Settlement { id day net count differences creation_date }
      }
      alert
      merchant
      webhook
    }
  }
`);

export const Events = () => (
  <>
    {liveEvents.value.length === 0 && <p class="hint">{t.waiting}</p>}
    {liveEvents.value.map(event => (
      <LiveEntry key={event.id} event={event} />
    ))}
  </>
);

/** The JSON is loaded when the event is opened. */
function LiveEntry({ event: { id, name, object_id, event_date } }: { event: LiveEvent }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="entry" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <strong>{name}</strong>
        <small>
          <Moment at={event_date} /> · <code>{object_id}</code>
        </small>
      </summary>
      {isOpen && <EventJson id={id} />}
    </details>
  );
}

function EventJson({ id }: { id: string }) {
  const event = useQuery(EVENT, { id });
  return (
    <Shown of={event} lines={6}>
      {({ event }) => (
        <>
          <pre>{JSON.stringify(event, (_, value) => value ?? undefined, 2)}</pre>
          <Link href={`/events/${id}`}>{t.toEvent}</Link>
        </>
      )}
    </Shown>
  );
}
