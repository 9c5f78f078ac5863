import { useMemo } from 'preact/hooks';
import { ask } from '../../shared/api/ask';
import { required } from '../../shared/api/required';
import { statusName } from '../../shared/ui/Chip';
import { type ListDefinition, pageOfConnection, windowOf } from '../lists/definition';
import { ListPage } from '../lists/ListPage';
import { deliveryColumns } from './columns';
import { DELIVERIES, type DeliveryRow } from './operations';
import { ResendRange } from './Resend';
import { t } from './texts';

const STATUSES = ['pending', 'retrying', 'delivered', 'failed'] as const;
type Status = (typeof STATUSES)[number];

const deliveriesOf = (id: string): ListDefinition<DeliveryRow> => ({
  path: `/webhooks/${id}/deliveries`,
  title: t.deliveries,
  about: t.noDeliveries,
  columns: deliveryColumns,
  filters: [
    { key: 'status', name: t.status, kind: 'choice', options: STATUSES.map(status => [status, statusName(status)]) },
    { key: 'event_id', name: t.event, kind: 'text' },
    { key: 'creation_gte', name: t.from, kind: 'day' },
    { key: 'creation_lte', name: t.to, kind: 'day' },
  ],
  keyOf: delivery => delivery.id,
  href: ({ event_id }) => `/webhooks/${id}/events/${event_id}`,
  refreshOn: () => true,
  load: async ({ status, ...filters }, page, signal) => {
    const variables = { id, ...filters, ...(status && { status: status as Status }), ...windowOf(page) };
    const { deliveries } = await ask(DELIVERIES, variables, { signal });
    return pageOfConnection(required(deliveries));
  },
});

export function Deliveries({ params: { id } }: { params: { id: string } }) {
  const definition = useMemo(() => deliveriesOf(id), [id]);
  return <ListPage of={definition} action={reload => <ResendRange webhook={id} done={reload} />} />;
}
