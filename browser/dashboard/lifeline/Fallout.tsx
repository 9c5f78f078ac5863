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

const WEBHOOKS = graphql(`query FalloutWebhooks { webhooks(limit: 10) { id url status } }`);
const DELIVERIES = graphql(`
  query FalloutDeliveries($webhook_id: ID!) {
    deliveries(webhook_id: $webhook_id, limit: 100) { id event_id status }
  }
`);
const LOOK_AGAIN_MS = 1500;
const MAX_LOOKS = 20;

interface Carried {
  event_id: string;
  status: string;
  url: string;
}

async function loadDeliveries(signal: AbortSignal): Promise<Carried[] | null> {
  const { webhooks } = await ask(WEBHOOKS, {}, { signal });
  if (!webhooks?.length) return null;
  const all = await Promise.all(
    webhooks.map(async ({ id, url }) => {
      const { deliveries } = await ask(DELIVERIES, { webhook_id: id }, { signal });
      return (deliveries ?? []).map(({ event_id, status }) => ({ event_id, status, url }));
    }),
  );
  return all.flat();
}

type Fallen = Pick<LiveEvent, 'id' | 'type' | 'event_date'>;

interface FalloutProps {
  /** IDs of the subscription and its charges. */
  ids: ReadonlySet<string>;
  /** Later events are not revealed yet. */
  fallenUntil: number;
  /** The latest events, for those missed while disconnected. */
  latest: readonly Fallen[];
}

export function Fallout({ ids, fallenUntil, latest }: FalloutProps) {
  const [events, setEvents] = useState<LiveEvent[]>([]);
  const [known] = useState(() => new Set(latest.map(({ id }) => id)));
  const [looks, setLooks] = useState(0);
  useEffect(() => onEvent(event => setEvents(events => [...events, event])), []);
  const live: Fallen[] = events.filter(({ object_id }) => ids.has(object_id));
  const missed = latest.filter(({ id }) => !known.has(id) && live.every(event => event.id !== id));
  const own = [...live, ...missed]
    .filter(({ event_date }) => Date.parse(event_date) <= fallenUntil)
    .sort((a, b) => a.event_date.localeCompare(b.event_date));
  const carried = useLoad('fallout', async stop => ({ of: await loadDeliveries(stop) }), { refreshOn: () => true });
  const deliveries = carried.data?.of ?? [];
  const isUnderWay = own.some(({ id }) =>
    deliveries.every(({ event_id, status }) => event_id !== id || status === 'pending'),
  );
  const isWorthLooking = carried.data?.of !== null && isUnderWay && looks < MAX_LOOKS;
  // Deliveries emit no events, so they are polled for a limited time.
  useEffect(() => {
    if (!isWorthLooking) return;
    const timer = setTimeout(() => {
      carried.reload();
      setLooks(looks + 1);
    }, LOOK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isWorthLooking, looks]);

  return (
    <Section title={t.fell}>
      <p class="hint">{carried.data?.of === null ? t.noWebhooks : t.fellHint}</p>
      <ol class="fallout" aria-live="polite">
        {own.map(event => (
          <li key={event.id}>
            <time dateTime={event.event_date} title={formatWhole(event.event_date)}>
              {formatMoment(event.event_date)}
            </time>
            <Link href={`/events/${event.id}`}>{event.type}</Link>
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
