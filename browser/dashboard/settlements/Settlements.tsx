import { Link } from 'wouter-preact';
import { ask } from '../../shared/api/ask';
import { Chip, statusName } from '../../shared/ui/Chip';
import { Day } from '../../shared/ui/Figures';
import { costingColumns, textColumn } from '../lists/columns';
import { type ListDefinition, pageOfConnection, windowOf } from '../lists/definition';
import { ListPage } from '../lists/ListPage';
import { SETTLEMENTS, type SettlementRow } from './operations';
import { t } from './texts';

const settlements: ListDefinition<SettlementRow> = {
  path: '/settlements',
  title: t.title,
  about: t.about,
  filters: [
    { key: 'day_gte', name: t.from, kind: 'day' },
    { key: 'day_lte', name: t.to, kind: 'day' },
  ],
  keyOf: ({ id }) => id,
  href: ({ id }) => `/settlements/${id}`,
  refreshOn: ({ name }) => name === 'settlement.created',
  load: async (filters, page, signal) => {
    const { settlements } = await ask(SETTLEMENTS, { ...filters, ...windowOf(page) }, { signal });
    return settlements ? pageOfConnection(settlements) : { rows: [] };
  },
  columns: [
    { key: 'day', name: t.day, cell: ({ day }) => <Day on={day} />, text: ({ day }) => day },
    {
      key: 'status',
      name: t.status,
      cell: ({ status }) => <Chip status={status} />,
      text: ({ status }) => statusName(status),
    },
    textColumn('count', t.count, ({ count }) => count, { isNumber: true }),
    ...costingColumns<SettlementRow>(t, 'cost_tax'),
    textColumn('differences', t.differences, ({ differences }) => differences, { isNumber: true, isFurther: true }),
    textColumn('id', 'id', ({ id }) => id, { isFurther: true }),
  ],
};

export const Settlements = () => (
  <ListPage
    of={settlements}
    action={
      <Link href="/statement" class="button plain">
        {t.statement}
      </Link>
    }
  />
);
