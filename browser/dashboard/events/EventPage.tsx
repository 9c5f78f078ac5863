import { Link } from 'wouter-preact';
import { ask } from '../../shared/api/ask';
import type { ResultOf } from '../../shared/api/graphql';
import { Chip } from '../../shared/ui/Chip';
import { Facts, Id } from '../../shared/ui/Facts';
import { Moment } from '../../shared/ui/Figures';
import { Json } from '../../shared/ui/Json';
import { PageHead } from '../../shared/ui/PageHead';
import { Shown } from '../../shared/ui/States';
import { useLoad } from '../api/useLoad';
import { useQuery } from '../api/useQuery';
import { Table } from '../lists/Table';
import { Ref } from '../ui/Ref';
import { Section } from '../ui/Section';
import { outcomeOf } from '../webhooks/columns';
import { DELIVERIES, EVENT } from './operations';
import { t } from './texts';
import { pathOf } from './types';

type Shape = NonNullable<ResultOf<typeof EVENT>['event']>;

/** Objects of other types come without fields. */
const contentOf = ({ object_id, ...event }: Shape) =>
  Object.fromEntries(
    Object.entries(event).filter(([, value]) => value && (typeof value === 'string' || Object.keys(value).length > 0)),
  );

export function EventPage({ params: { id } }: { params: { id: string } }) {
  const page = useQuery(EVENT, { id });
  return (
    <Shown of={page} lines={8}>
      {({ event, webhooks }) =>
        event && (
          <>
            <PageHead title={event.type} />
            <Section title={t.content}>
              <Facts
                of={[
                  [t.date, <Moment key="date" at={event.event_date} />],
                  [t.object, <Ref key="object" id={event.object_id} room={pathOf(event.type)} />],
                  ['id', <Id key="id" id={event.id} />],
                ]}
              />
              <Json of={contentOf(event)} />
            </Section>
            <DeliveriesOf event={id} webhooks={webhooks?.nodes ?? []} />
          </>
        )
      }
    </Shown>
  );
}

interface DeliveriesProps {
  event: string;
  webhooks: readonly { id: string; url: string }[];
}

function DeliveriesOf({ event, webhooks }: DeliveriesProps) {
  const page = useLoad(JSON.stringify([event, webhooks]), async signal => {
    const requests = webhooks.map(async ({ id, url }) => {
      const { deliveries } = await ask(DELIVERIES, { id, event_id: event }, { signal });
      return (deliveries?.nodes ?? []).map(delivery => ({ ...delivery, webhook_id: id, url }));
    });
    return (await Promise.all(requests)).flat();
  });
  type Sent = NonNullable<typeof page.data>[number];
  const columns = [
    { key: 'webhook', name: t.webhook, cell: ({ url }: Sent) => url },
    { key: 'status', name: t.status, cell: ({ status }: Sent) => <Chip status={status} /> },
    { key: 'answer', name: t.answer, cell: ({ attempts }: Sent) => outcomeOf(attempts.at(-1)) },
    { key: 'attempts', name: t.attempts, isNumber: true, cell: ({ attempts }: Sent) => attempts.length },
  ];
  return (
    <Section title={t.deliveries} fields={webhooks.length > 0 ? ['deliveries'] : undefined}>
      {webhooks.length === 0 ? (
        <p class="hint">
          {t.noWebhooks} <Link href="/webhooks">{t.webhook}s</Link>
        </p>
      ) : (
        <Shown of={page}>
          {sent => (
            <Table
              label={t.deliveries}
              columns={columns}
              rows={sent}
              keyOf={({ id }) => id}
              href={({ webhook_id }) => `/webhooks/${webhook_id}/events/${event}`}
              empty={t.noDeliveries}
            />
          )}
        </Shown>
      )}
    </Section>
  );
}
