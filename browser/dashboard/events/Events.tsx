import { ask } from '../../shared/api/ask';
import { required } from '../../shared/api/required';
import { Moment } from '../../shared/ui/Figures';
import { type ListDefinition, pageOfConnection, windowOf } from '../lists/definition';
import { ListPage } from '../lists/ListPage';
import { Ref } from '../ui/Ref';
import { EVENTS, type EventRow } from './operations';
import { t } from './texts';
import { type EventTypeWord, ofOneWebhook, pathOf, typeOptions } from './types';

const events: ListDefinition<EventRow> = {
  path: '/events',
  title: t.title,
  about: t.about,
  filters: [
    { key: 'type', name: t.type, kind: 'choice', options: [...typeOptions, ...ofOneWebhook] },
    { key: 'object_id', name: t.object, kind: 'text' },
    { key: 'creation_gte', name: t.from, kind: 'day' },
    { key: 'creation_lte', name: t.to, kind: 'day' },
  ],
  keyOf: ({ id }) => id,
  href: ({ id }) => `/events/${id}`,
  refreshOn: () => true,
  load: async ({ type, ...filters }, page, signal) => {
    const { events } = await ask(
      EVENTS,
      { ...filters, ...(type && { type: type as EventTypeWord }), ...windowOf(page) },
      { signal },
    );
    return pageOfConnection(required(events));
  },
  columns: [
    { key: 'type', name: t.type, cell: ({ name }) => name, text: ({ name }) => name },
    {
      key: 'object_id',
      name: t.object,
      cell: ({ object_id, name }) => <Ref id={object_id} room={pathOf(name)} />,
      text: ({ object_id }) => object_id,
    },
    {
      key: 'event_date',
      name: t.date,
      cell: ({ event_date }) => <Moment at={event_date} />,
      text: ({ event_date }) => event_date,
    },
    { key: 'id', name: 'id', cell: ({ id }) => <code>{id}</code>, text: ({ id }) => id, isFurther: true },
  ],
};

export const Events = () => <ListPage of={events} />;
