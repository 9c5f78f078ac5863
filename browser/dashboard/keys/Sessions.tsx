import { useMemo, useRef } from 'preact/hooks';
import { ask } from '../../shared/api/ask';
import { required } from '../../shared/api/required';
import { Chip, statusName } from '../../shared/ui/Chip';
import { momentColumn, textColumn } from '../lists/columns';
import { type ListDefinition, pageOfConnection, windowOf } from '../lists/definition';
import { ListPage } from '../lists/ListPage';
import { ActionButton } from '../ui/ActionButton';
import { Ref } from '../ui/Ref';
import { ForFullSessions, Tabs } from './Frame';
import { REVOKE, SESSIONS, type SessionRow } from './operations';
import { t } from './texts';

const statusOf = ({ revoked_at, expires_at }: SessionRow): string =>
  revoked_at ? 'revoked' : Date.parse(expires_at) < Date.now() ? 'expired' : 'active';

const sessionsOf = (reload: () => void): ListDefinition<SessionRow> => ({
  path: '/keys/sessions',
  title: t.sessions,
  about: t.aboutSessions,
  filters: [],
  keyOf: ({ id }) => id,
  load: async (_, page, signal) => {
    const { sessions } = await ask(SESSIONS, windowOf(page), { signal });
    return pageOfConnection(required(sessions));
  },
  columns: [
    { key: 'id', name: 'id', cell: ({ id }) => <code>{id}</code>, text: ({ id }) => id },
    {
      key: 'status',
      name: t.status,
      cell: row => <Chip status={statusOf(row)} />,
      text: row => statusName(statusOf(row)),
    },
    textColumn('scope', t.rights, ({ scope }) => scope.join(', ')),
    momentColumn('last_used_at', t.lastUsed, ({ last_used_at }) => last_used_at),
    momentColumn('expires_at', t.expires, ({ expires_at }) => expires_at),
    { key: 'key_id', name: t.madeWith, cell: ({ key_id }) => <Ref id={key_id} />, text: ({ key_id }) => key_id },
    {
      key: 'customer_id',
      name: t.customer,
      cell: ({ customer_id: id }) => id && <Ref id={id} />,
      text: ({ customer_id }) => customer_id,
      isFurther: true,
    },
    textColumn('origins', t.origins, ({ origins }) => origins.join(', '), { isFurther: true }),
    {
      key: 'end',
      name: t.end,
      text: () => '',
      cell: row =>
        statusOf(row) === 'active' && (
          <ActionButton
            label={t.end}
            kind="danger"
            question={t.endQuestion}
            run={async (_, key) => {
              await ask(REVOKE, { id: row.id }, { key });
              return t.ended;
            }}
            done={reload}
          />
        ),
    },
  ],
});

export function Sessions() {
  const reload = useRef(() => {});
  const sessions = useMemo(() => sessionsOf(() => reload.current()), []);
  return (
    <ForFullSessions title={t.sessions}>
      <ListPage
        of={sessions}
        summary={<Tabs />}
        action={again => {
          reload.current = again;
          return null;
        }}
      />
    </ForFullSessions>
  );
}
