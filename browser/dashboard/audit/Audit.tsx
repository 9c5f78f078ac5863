import { ask } from '../../shared/api/ask';
import { graphql, type ResultOf } from '../../shared/api/graphql';
import { required } from '../../shared/api/required';
import { type AuditActionWord, actionName, actionOptions } from '../../shared/auditActions';
import { Json } from '../../shared/ui/Json';
import { ForFullSessions } from '../keys/Frame';
import { momentColumn, textColumn } from '../lists/columns';
import { type ListDefinition, pageOfConnection, windowOf } from '../lists/definition';
import { ListPage } from '../lists/ListPage';
import { Ref } from '../ui/Ref';
import { t } from './texts';

const AUDIT = graphql(`
  query AuditLog(
    $first: Int, $after: String, $last: Int, $before: String, $action: AuditAction, $actor_id: ID, $object_id: ID, $creation_gte: Day,
    $creation_lte: Day
  ) {
    auditLog(
      first: $first, after: $after, last: $last, before: $before, action: $action, actor_id: $actor_id, object_id: $object_id,
      creation_gte: $creation_gte, creation_lte: $creation_lte
    ) {
      edges { node { id number name description actor actor_id object_id address request_id before after creation_date } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
`);
type Entry = NonNullable<ResultOf<typeof AUDIT>['auditLog']>['edges'][number]['node'];

const changeOf = ({ before, after }: Entry) => ({
  ...(before && { [t.before]: before }),
  ...(after && { [t.after]: after }),
});

const audit: ListDefinition<Entry> = {
  path: '/audit',
  title: t.title,
  about: t.about,
  filters: [
    { key: 'action', name: t.action, kind: 'choice', options: actionOptions },
    { key: 'actor_id', name: t.actorId, kind: 'text' },
    { key: 'object_id', name: t.object, kind: 'text' },
    { key: 'creation_gte', name: t.from, kind: 'day' },
    { key: 'creation_lte', name: t.to, kind: 'day' },
  ],
  keyOf: ({ id }) => id,
  refreshOn: () => true,
  load: async ({ action, ...filters }, page, signal) => {
    const { auditLog } = await ask(
      AUDIT,
      { ...filters, ...(action && { action: action as AuditActionWord }), ...windowOf(page) },
      { signal },
    );
    return pageOfConnection(required(auditLog));
  },
  columns: [
    textColumn('action', t.action, ({ name, description }) => actionName(name, description)),
    textColumn('actor', t.actor, ({ actor }) => t.actors[actor]),
    {
      key: 'actor_id',
      name: t.actorId,
      cell: ({ actor_id }) => actor_id && <Ref id={actor_id} />,
      text: ({ actor_id }) => actor_id,
    },
    {
      key: 'object_id',
      name: t.object,
      cell: ({ name, object_id: id }) => id && <Ref id={id} room={name.startsWith('payout') ? 'payouts' : undefined} />,
      text: ({ object_id }) => object_id,
    },
    {
      key: 'change',
      name: t.change,
      cell: entry =>
        (entry.before || entry.after) && (
          <details>
            <summary>{t.change}</summary>
            <Json of={changeOf(entry)} />
          </details>
        ),
      text: entry => JSON.stringify(changeOf(entry)),
    },
    momentColumn('creation_date', t.date, ({ creation_date }) => creation_date),
    textColumn('address', t.address, ({ address }) => address, { isFurther: true }),
    textColumn('request_id', t.request, ({ request_id }) => request_id, { isFurther: true }),
    textColumn('number', t.number, ({ number }) => number, { isFurther: true, isNumber: true }),
  ],
};

export const Audit = () => (
  <ForFullSessions title={t.title}>
    <ListPage of={audit} />
  </ForFullSessions>
);
