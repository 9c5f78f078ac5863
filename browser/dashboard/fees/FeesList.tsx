import { ask } from '../../shared/api/ask';
import { graphql } from '../../shared/api/graphql';
import { required } from '../../shared/api/required';
import { withWords } from '../../shared/words';
import { omitUndefined } from '../api/omitUndefined';
import { chargeColumns } from '../charges/columns';
import { CHARGE_ROW, type ChargeRow } from '../charges/operations';
import { type ListDefinition, pageOfConnection, windowOf } from '../lists/definition';
import { ListPage } from '../lists/ListPage';
import { amountsOf, spanOf } from '../lists/span';

const t = withWords({
  es: {
    title: 'Comisiones',
    about: 'Las comisiones que cobraste del saldo de tus clientes.',
  },
  en: {
    title: 'Fees',
    about: "The fees that you charged to your customers' balances.",
  },
});

const FEES = graphql(
  `
  query Fees(
    $first: Int, $last: Int, $after: String, $before: String, $order: String, $least: Money, $most: Money, $from: Day,
    $to: Day
  ) {
    fees(
      first: $first, last: $last, after: $after, before: $before, order_id: $order, amount_gte: $least,
      amount_lte: $most, creation_gte: $from, creation_lte: $to
    ) {
      edges { node { ...ChargeRow } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      totalCount totalCountIsExact
    }
  }
`,
  [CHARGE_ROW],
);

const COLUMNS = ['what', 'amount', 'status', 'payer', 'created', 'order', 'refunded', 'id'];

const list: ListDefinition<ChargeRow> = {
  path: '/fees',
  title: t.title,
  about: t.about,
  columns: chargeColumns.filter(({ key }) => COLUMNS.includes(key)),
  filters: [
    { key: 'created', name: t.created, kind: 'days' },
    { key: 'amount', name: t.amount, kind: 'amounts' },
    { key: 'order', name: t.order, kind: 'text' },
  ],
  keyOf: ({ id }) => id,
  href: ({ id }) => `/fees/${id}`,
  load: async ({ created, amount, order }, page, signal) => {
    const { from: least, to: most } = amountsOf(amount);
    const variables = omitUndefined({ order, least, most, ...spanOf(created) });
    const answer = await ask(FEES, { ...variables, ...windowOf(page) }, { signal });
    return pageOfConnection(required(answer.fees));
  },
  refreshOn: ({ name }) => name.startsWith('fee.'),
};

export const FeesList = () => <ListPage of={list} />;
