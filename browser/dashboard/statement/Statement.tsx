import { useSearch } from 'wouter-preact';
import { ask } from '../../shared/api/ask';
import { graphql, type ResultOf } from '../../shared/api/graphql';
import { required } from '../../shared/api/required';
import { formatDay } from '../../shared/format';
import { Facts } from '../../shared/ui/Facts';
import { Money } from '../../shared/ui/Figures';
import { Shown } from '../../shared/ui/States';
import { useQuery } from '../api/useQuery';
import { ivaLabel } from '../charges/iva';
import { costingColumns, momentColumn, moneyColumn, textColumn } from '../lists/columns';
import { forwardPageOf, forwardWindowOf, type ListDefinition } from '../lists/definition';
import { ListPage } from '../lists/ListPage';
import { Ref } from '../ui/Ref';
import { Section } from '../ui/Section';
import { t } from './texts';

const SUMS = graphql(`
  query StatementSums($from: Day, $to: Day) {
    statement(from: $from, to: $to) {
      from to opening_balance closing_balance totals { amount cost cost_tax net }
    }
  }
`);
const MOVEMENTS = graphql(`
  query Statement($from: Day, $to: Day, $first: Int, $after: String) {
    statement(from: $from, to: $to) {
      movements(first: $first, after: $after) {
        edges {
          node { id date type transaction_id order_id description amount cost cost_tax net balance tax }
        }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }
  }
`);
type MovementRow = NonNullable<ResultOf<typeof MOVEMENTS>['statement']>['movements']['edges'][number]['node'];

const isOfPayout = (type: string): boolean => type.startsWith('payout');

const statement: ListDefinition<MovementRow> = {
  path: '/statement',
  title: t.title,
  about: t.about,
  filters: [
    { key: 'from', name: t.from, kind: 'day' },
    { key: 'to', name: t.to, kind: 'day' },
  ],
  keyOf: ({ id }) => id,
  fields: ['statement.movements'],
  refreshOn: () => true,
  load: async (filters, page, signal) => {
    const { statement } = await ask(MOVEMENTS, { ...filters, ...forwardWindowOf(page) }, { signal });
    return forwardPageOf(required(statement).movements);
  },
  columns: [
    momentColumn('date', t.date, ({ date }) => date),
    textColumn('type', t.type, ({ type }) => t.types[type]),
    {
      key: 'transaction_id',
      name: t.transaction,
      cell: ({ type, transaction_id }) => <Ref id={transaction_id} room={isOfPayout(type) ? 'payouts' : undefined} />,
      text: ({ transaction_id }) => transaction_id,
    },
    textColumn('order_id', t.order, ({ order_id }) => order_id, { isFurther: true }),
    textColumn('description', t.description, ({ description }) => description),
    ...costingColumns<MovementRow>(t, 'cost', 'cost_tax'),
    moneyColumn('balance', t.balance, ({ balance }) => balance),
    {
      key: 'tax',
      name: ivaLabel,
      cell: ({ tax }) => tax !== null && <Money amount={tax} />,
      text: ({ tax }) => tax,
      isNumber: true,
      isFurther: true,
    },
  ],
};

/** For the days in the address. */
function Sums() {
  const search = new URLSearchParams(useSearch());
  const [from, to] = [search.get('from'), search.get('to')];
  const page = useQuery(SUMS, { ...(from && { from }), ...(to && { to }) }, { refreshOn: () => true });
  return (
    <Shown of={page}>
      {({ statement: sums }) =>
        sums && (
          <Section
            title={t.span(formatDay(sums.from), formatDay(sums.to))}
            fields={['statement.opening_balance', 'statement.closing_balance', 'statement.totals']}
          >
            <Facts
              of={[
                [t.opening, <Money key="opening" amount={sums.opening_balance} />],
                [t.amount, <Money key="amount" amount={sums.totals.amount} />],
                [t.cost, <Money key="cost" amount={sums.totals.cost} />],
                [t.costTax, <Money key="tax" amount={sums.totals.cost_tax} />],
                [t.closing, <Money key="closing" amount={sums.closing_balance} />],
              ]}
            />
          </Section>
        )
      }
    </Shown>
  );
}

export const Statement = () => <ListPage of={statement} summary={<Sums />} />;
