/** The events of a move of the clock, and their deliveries. */
import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ask } from '../../shared/api/ask';
import { graphql } from '../../shared/api/graphql';
import { formatMoment, formatWhole } from '../../shared/format';
import { Chip } from '../../shared/ui/Chip';
import { type LiveEvent, onEvent } from '../api/live';
import { useLoad } from '../api/useLoad';
import { Section } from '../ui/Section';
import { t } from './texts';

const WEBHOOKS = graphql(`query TimelineWebhooks { webhooks(first: 10) { nodes { id url status } } }`);
const DELIVERIES = graphql(`
  query TimelineDeliveries($webhook_id: ID!) {
    deliveries(webhook_id: $webhook_id, first: 100) { nodes { id event_id status } }
  }
`);
const POLL_MS = 1500;
const MAX_POLLS = 20;

interface EventDelivery {
  event_id: string;
  status: string;
  url: string;
}

async function loadDeliveries(signal: AbortSignal): Promise<EventDelivery[] | null> {
  const { webhooks } = await ask(WEBHOOKS, {}, { signal });
  if (!webhooks?.nodes.length) return null;
  const all = await Promise.all(
    webhooks.nodes.map(async ({ id, url }) => {
      const { deliveries } = await ask(DELIVERIES, { webhook_id: id }, { signal });
      return (deliveries?.nodes ?? []).map(({ event_id, status }) => ({ event_id, status, url }));
    }),
  );
  return all.flat();
}

type GeneratedEvent = Pick<LiveEvent, 'id' | 'name' | 'event_date'>;

interface GeneratedEventsProps {
  /** IDs of the subscription and its charges. */
  ids: ReadonlySet<string>;
  /** Later events are not revealed yet. */
  revealedUntil: number;
  /** The latest events, for those missed while disconnected. */
  latest: readonly GeneratedEvent[];
}

export function GeneratedEvents({ ids, revealedUntil, latest }: GeneratedEventsProps) {
  const [events, setEvents] = useState<LiveEvent[]>([]);
  const [known] = useState(() => new Set(latest.map(({ id }) => id)));
  const [polls, setPolls] = useState(0);
  useEffect(() => onEvent(event => setEvents(events => [...events, event])), []);
  const live: GeneratedEvent[] = events.filter(({ object_id }) => ids.has(object_id));
  const missed = latest.filter(({ id }) => !known.has(id) && live.every(event => event.id !== id));
  const own = [...live, ...missed]
    .filter(({ event_date }) => Date.parse(event_date) <= revealedUntil)
    .sort((a, b) => a.event_date.localeCompare(b.event_date));
  const loaded = useLoad('generated-events', async stop => ({ of: await loadDeliveries(stop) }), {
    refreshOn: () => true,
  });
  const deliveries = loaded.data?.of ?? [];
  const isUnderWay = own.some(({ id }) =>
    deliveries.every(({ event_id, status }) => event_id !== id || status === 'pending'),
  );
  const needsPoll = loaded.data?.of !== null && isUnderWay && polls < MAX_POLLS;
  // Deliveries emit no events, so they are polled for a limited time.
  useEffect(() => {
    if (!needsPoll) return;
    const timer = setTimeout(() => {
      loaded.reload();
      setPolls(polls + 1);
    }, POLL_MS);
    return () => clearTimeout(timer);
  }, [needsPoll, polls]);

  return (
    <Section title={t.generatedEvents}>
      <p class="hint">{loaded.data?.of === null ? t.noWebhooks : t.generatedEventsHint}</p>
      <ol class="generated-events" aria-live="polite">
        {own.map(event => (
          <li key={event.id}>
            <time dateTime={event.event_date} title={formatWhole(event.event_date)}>
              {formatMoment(event.event_date)}
            </time>
            <Link href={`/events/${event.id}`}>{event.name}</Link>
            {deliveries
              .filter(({ event_id }) => event_id === event.id)
              .map(({ url, status }) => (
                <span key={url}>
                  <small>{url}</small> <Chip status={status} />
                </span>
              ))}
          </li>
        ))}
      </ol>
      {own.length === 0 && <p>{t.nothingYet}</p>}
    </Section>
  );
}
