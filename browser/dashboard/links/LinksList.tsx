import { ask } from '../../shared/api/ask';
import { required } from '../../shared/api/required';
import { omitUndefined } from '../api/omitUndefined';
import { customerNameOf } from '../customers/nameOf';
import { type ListDefinition, pageOfConnection, windowOf } from '../lists/definition';
import { ListPage } from '../lists/ListPage';
import { spanOf } from '../lists/span';
import { linkColumns } from './columns';
import { NewLink } from './NewLink';
import { isUse, LINKS, type LinkRow } from './operations';
import { t } from './texts';

const list: ListDefinition<LinkRow> = {
  path: '/links',
  title: t.title,
  about: t.about,
  columns: linkColumns,
  filters: [
    { key: 'status', name: t.status, kind: 'choices', options: Object.entries(t.states) },
    { key: 'kind', name: t.kind, kind: 'choice', options: Object.entries(t.kinds) },
    { key: 'customer', name: t.customer, kind: 'text', nameOf: customerNameOf },
    { key: 'created', name: t.created, kind: 'days' },
  ],
  keyOf: ({ id }) => id,
  href: ({ id }) => `/links/${id}`,
  load: async ({ status, kind, customer, created }, page, signal) => {
    const filters = omitUndefined({
      status: status?.split(',') as LinkRow['status'][] | undefined,
      kind: kind as LinkRow['kind'] | undefined,
      customer,
      ...spanOf(created),
    });
    const answer = await ask(LINKS, { ...filters, ...windowOf(page) }, { signal });
    return pageOfConnection(required(answer.paymentLinks));
  },
  refreshOn: ({ name }) => isUse(name),
};

export const LinksList = () => <ListPage of={list} action={<NewLink />} />;
