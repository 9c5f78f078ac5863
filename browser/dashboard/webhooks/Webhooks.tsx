import { ask } from '../../shared/api/ask';
import { required } from '../../shared/api/required';
import { Chip, statusName } from '../../shared/ui/Chip';
import { OnceShown } from '../../shared/ui/Copyable';
import { Moment } from '../../shared/ui/Figures';
import { eventName, typeOptions, typesOf } from '../events/types';
import { type ListDefinition, pageOfConnection, windowOf } from '../lists/definition';
import { ListPage } from '../lists/ListPage';
import { ActionButton } from '../ui/ActionButton';
import { CREATE, WEBHOOKS, type WebhookRow } from './operations';
import { t } from './texts';

const webhooks: ListDefinition<WebhookRow> = {
  path: '/webhooks',
  title: t.title,
  about: t.about,
  filters: [],
  keyOf: ({ id }) => id,
  href: ({ id }) => `/webhooks/${id}`,
  refreshOn: ({ name }) => name === 'webhook.disabled',
  load: async (_, page, signal) => {
    const { webhooks } = await ask(WEBHOOKS, windowOf(page), { signal });
    return pageOfConnection(required(webhooks));
  },
  columns: [
    { key: 'url', name: t.url, cell: ({ url }) => url, text: ({ url }) => url },
    {
      key: 'status',
      name: t.status,
      cell: ({ status }) => <Chip status={status} />,
      text: ({ status }) => statusName(status),
    },
    {
      key: 'events',
      name: t.events,
      cell: ({ event_types }) => (event_types.length === 0 ? t.all : event_types.map(eventName).join(', ')),
      text: ({ event_types }) => event_types.map(eventName).join(' '),
    },
    {
      key: 'creation_date',
      name: t.created,
      cell: ({ creation_date }) => <Moment at={creation_date} />,
      text: ({ creation_date }) => creation_date,
    },
    { key: 'user', name: t.user, cell: ({ user }) => user, text: ({ user }) => user, isFurther: true },
    { key: 'id', name: 'id', cell: ({ id }) => <code>{id}</code>, text: ({ id }) => id, isFurther: true },
  ],
};

const CreateWebhook = ({ done }: { done: () => void }) => (
  <ActionButton
    label={t.create}
    kind="primary"
    fields={[
      { name: 'url', label: t.url, type: 'url', hint: t.urlHint },
      { name: 'event_types', label: t.events, type: 'choices', options: typeOptions, hint: t.typesHint },
      { name: 'user', label: t.user, isOptional: true },
      { name: 'password', label: t.password, type: 'password', isOptional: true },
    ]}
    run={async ({ url = '', event_types, user, password }, key) => {
      const webhook = {
        url,
        event_types: typesOf(event_types),
        ...(user && { user }),
        ...(password && { password }),
      };
      const { createWebhook } = await ask(CREATE, { webhook }, { key });
      return <OnceShown hint={t.secretOnce} label={t.secret} text={createWebhook?.secret ?? ''} />;
    }}
    done={done}
  />
);

export const Webhooks = () => <ListPage of={webhooks} action={reload => <CreateWebhook done={reload} />} />;
