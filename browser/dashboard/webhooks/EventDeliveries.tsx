/** The deliveries of one event to one webhook. */

import { Chip } from '../../shared/ui/Chip';
import { Facts } from '../../shared/ui/Facts';
import { Moment } from '../../shared/ui/Figures';
import { Json } from '../../shared/ui/Json';
import { PageHead } from '../../shared/ui/PageHead';
import { Empty, Shown } from '../../shared/ui/States';
import { useQuery } from '../api/useQuery';
import { eventName } from '../events/types';
import { Table } from '../lists/Table';
import { Ref } from '../ui/Ref';
import { Section } from '../ui/Section';
import { outcomeOf } from './columns';
import { DELIVERIES_OF_EVENT, type DeliveryRow } from './operations';
import { Resend } from './Resend';
import { t } from './texts';
import { useUntilDelivered } from './useUntilDelivered';

type Attempt = DeliveryRow['attempts'][number];

const attemptColumns = [
  { key: 'number', name: '#', cell: ({ number }: Attempt) => number },
  { key: 'date', name: t.date, cell: ({ date }: Attempt) => <Moment at={date} /> },
  { key: 'outcome', name: t.answer, cell: outcomeOf },
  { key: 'answer', name: t.answerBody, cell: ({ answer }: Attempt) => answer && <code>{answer}</code> },
  { key: 'duration', name: t.duration, isNumber: true, cell: ({ duration }: Attempt) => `${duration} ms` },
];

export function EventDeliveries({ params: { id, event } }: { params: { id: string; event: string } }) {
  const page = useQuery(DELIVERIES_OF_EVENT, { id, event_id: event }, { refreshOn: () => true });
  const deliveries = page.data?.deliveries?.nodes ?? [];
  useUntilDelivered(deliveries, page.refresh);
  return (
    <>
      <PageHead title={deliveries[0] ? eventName(deliveries[0].event_type) : t.deliveries} name={t.ofEvent} />
      <Facts
        of={[
          [t.event, <Ref key="event" id={event} />],
          ['Webhook', <Ref key="webhook" id={id} />],
        ]}
      />
      <Shown of={page} lines={6}>
        {() =>
          deliveries.length === 0 ? (
            <Empty title={t.noDeliveries} />
          ) : (
            (page.data?.deliveries?.nodes ?? []).map(delivery => (
              <Section
                key={delivery.id}
                title={delivery.id}
                action={<Resend webhook={id} delivery={delivery.id} done={page.reload} />}
              >
                <Facts
                  of={[
                    [t.status, <Chip key="status" status={delivery.status} />],
                    [t.date, <Moment key="date" at={delivery.creation_date} />],
                    [t.next, delivery.next_attempt_date && <Moment at={delivery.next_attempt_date} />],
                    [t.url, delivery.request.url],
                  ]}
                />
                {delivery.attempts.length > 0 && (
                  <Table
                    label={t.attempts}
                    columns={attemptColumns}
                    rows={delivery.attempts}
                    keyOf={({ number }) => String(number)}
                  />
                )}
                <details>
                  <summary>{t.sentBody}</summary>
                  <Json of={delivery.request.body} />
                </details>
              </Section>
            ))
          )
        }
      </Shown>
    </>
  );
}
