/** The events of an object and their deliveries. */
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { graphql } from '../../shared/api/graphql';
import { Chip } from '../../shared/ui/Chip';
import { Moment } from '../../shared/ui/Figures';
import { Shown } from '../../shared/ui/States';
import { useQuery } from '../api/useQuery';
import { Section } from '../ui/Section';
import type { ChargeDetails } from './operations';
import { t } from './texts';

const WEBHOOKS = graphql(`query Webhooks { webhooks(first: 20) { nodes { id url } } }`);
const DELIVERIES = graphql(`
  query Deliveries($webhook: ID!, $event: ID!) {
    deliveries(webhook_id: $webhook, event_id: $event, first: 5) { nodes { id status attempts { number } } }
  }
`);

export const ObjectEvents = ({ of }: { of: Pick<ChargeDetails, 'events'> }) => (
  <Section title={t.events}>
    {of.events.edges.length === 0 ? (
      <p class="hint">{t.noEvents}</p>
    ) : (
      <ul class="event-list">
        {of.events.edges.map(({ node: event }) => (
          <li key={event.id}>
            <Link href={`/events/${event.id}`}>
              <code>{event.name}</code>
            </Link>
            <Moment at={event.event_date} />
            <Deliveries event={event.id} />
          </li>
        ))}
      </ul>
    )}
  </Section>
);

/** Loaded when opened. */
function Deliveries({ event }: { event: string }) {
  const [isOpen, setOpen] = useState(false);
  const webhooks = useQuery(WEBHOOKS, {}, { when: isOpen });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t.deliveries}</summary>
      {isOpen && (
        <Shown of={webhooks} lines={1}>
          {({ webhooks }) =>
            webhooks?.nodes.length ? (
              webhooks.nodes.map(({ id, url }) => <DeliveriesTo key={id} webhook={id} url={url} event={event} />)
            ) : (
              <p class="hint">{t.noDeliveries}</p>
            )
          }
        </Shown>
      )}
    </details>
  );
}

function DeliveriesTo({ webhook, url, event }: { webhook: string; url: string; event: string }) {
  const sent = useQuery(DELIVERIES, { webhook, event });
  return (
    <Shown of={sent} lines={1}>
      {({ deliveries }) => (
        <p>
          <Link href={`/webhooks/${webhook}`}>{url}</Link>{' '}
          {deliveries?.nodes.length
            ? deliveries.nodes.map(({ id, status, attempts }) => (
                <span key={id}>
                  <Chip status={status} /> <small>{t.answers(attempts.length)}</small>
                </span>
              ))
            : '–'}
        </p>
      )}
    </Shown>
  );
}
