import { useState } from 'preact/hooks';
import { ask } from '../../shared/api/ask';
import { required } from '../../shared/api/required';
import { Button } from '../../shared/ui/Button';
import { momentColumn, textColumn } from '../lists/columns';
import { type ListDefinition, pageOfConnection, windowOf } from '../lists/definition';
import { ListPage } from '../lists/ListPage';
import { Commands, creating } from './Commands';
import { ForFullSessions, Tabs } from './Frame';
import { KEYS, type KeyRow } from './operations';
import { rightsOf, t } from './texts';

const keys: ListDefinition<KeyRow> = {
  path: '/keys',
  title: t.keys,
  about: t.aboutKeys,
  filters: [],
  keyOf: ({ id }) => id,
  href: ({ id }) => `/keys/${id}`,
  load: async (_, page, signal) => {
    const { keys } = await ask(KEYS, windowOf(page), { signal });
    return pageOfConnection(required(keys));
  },
  columns: [
    textColumn('name', t.name, ({ name }) => name ?? t.unnamed),
    {
      key: 'masked',
      name: t.key,
      cell: ({ masked }) => <code>{masked}</code>,
      text: ({ masked }) => masked,
    },
    textColumn('kind', t.kind, ({ kind }) => t.kinds[kind]),
    textColumn('rights', t.rights, rightsOf),
    textColumn('addresses', t.addresses, ({ addresses }) => addresses.join(', ') || t.anywhere, { isFurther: true }),
    momentColumn('last_used_at', t.lastUsed, ({ last_used_at }) => last_used_at),
    momentColumn('expires_at', t.expires, ({ expires_at }) => expires_at),
    momentColumn('creation_date', t.created, ({ creation_date }) => creation_date, { isFurther: true }),
    textColumn('id', 'id', ({ id }) => id, { isFurther: true }),
  ],
};

export function Keys() {
  const [isCreating, setCreating] = useState(false);
  return (
    <ForFullSessions title={t.keys}>
      <ListPage
        of={keys}
        action={
          <Button type="button" kind="primary" aria-expanded={isCreating} onClick={() => setCreating(!isCreating)}>
            {t.create}
          </Button>
        }
        summary={
          <>
            <Tabs />
            {isCreating && <Commands title={t.create} of={creating} />}
          </>
        }
      />
    </ForFullSessions>
  );
}
