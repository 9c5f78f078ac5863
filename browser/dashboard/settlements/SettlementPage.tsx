import { useMemo } from 'preact/hooks';
import { ask } from '../../shared/api/ask';
import { required } from '../../shared/api/required';
import { formatDay } from '../../shared/format';
import { Chip } from '../../shared/ui/Chip';
import { Facts, Id } from '../../shared/ui/Facts';
import { Moment, Money } from '../../shared/ui/Figures';
import { Shown } from '../../shared/ui/States';
import { useQuery } from '../api/useQuery';
import { costingColumns, momentColumn, textColumn } from '../lists/columns';
import { forwardPageOf, forwardWindowOf, type ListDefinition } from '../lists/definition';
import { ListPage } from '../lists/ListPage';
import { Ref } from '../ui/Ref';
import { Section } from '../ui/Section';
import { ITEMS, type ItemRow, SETTLEMENT, type SettlementRow } from './operations';
import { t } from './texts';

const itemsOf = ({ id, day }: SettlementRow): ListDefinition<ItemRow> => ({
  path: `/settlements/${id}`,
  title: t.settlement(formatDay(day)),
  about: t.items,
  filters: [],
  keyOf: item => item.id,
  fields: ['settlementItems'],
  load: async (_, page, signal) => {
    const { settlementItems } = await ask(ITEMS, { id, ...forwardWindowOf(page) }, { signal });
    return forwardPageOf(required(settlementItems).items);
  },
  columns: [
    textColumn('type', t.type, ({ type }) => t.types[type]),
    {
      key: 'transaction_id',
      name: t.transaction,
      cell: ({ type, transaction_id }) => <Ref id={transaction_id} room={type === 'payout' ? 'payouts' : undefined} />,
      text: ({ transaction_id }) => transaction_id,
    },
    textColumn('order_id', t.order, ({ order_id }) => order_id),
    momentColumn('date', t.date, ({ date }) => date),
    ...costingColumns<ItemRow>(t),
    textColumn('id', 'id', ({ id }) => id, { isFurther: true }),
  ],
});

export function SettlementPage({ params: { id } }: { params: { id: string } }) {
  const page = useQuery(SETTLEMENT, { id });
  return <Shown of={page}>{({ settlement }) => settlement && <Items settlement={settlement} />}</Shown>;
}

function Items({ settlement }: { settlement: SettlementRow }) {
  const definition = useMemo(() => itemsOf(settlement), [settlement]);
  return <ListPage of={definition} summary={<Summary of={settlement} />} />;
}

const Summary = ({ of }: { of: SettlementRow }) => (
  <Section title={t.summary} fields={['settlement']} action={<Chip status={of.status} />}>
    {of.differences > 0 && <p>{t.differsHint(of.differences)}</p>}
    <Facts
      of={[
        [t.charges, <Money key="charges" amount={of.charges} />],
        [t.refunds, of.refunds !== 0 && <Money amount={of.refunds} />],
        [t.chargebacks, of.chargebacks !== 0 && <Money amount={of.chargebacks} />],
        [t.payouts, of.payouts !== 0 && <Money amount={of.payouts} />],
        [t.amount, <Money key="amount" amount={of.amount} />],
        [t.cost, <Money key="cost" amount={of.cost} />],
        [t.costTax, <Money key="tax" amount={of.cost_tax} />],
        [t.net, <Money key="net" amount={of.net} />],
        [t.count, of.count],
        [t.made, <Moment key="made" at={of.creation_date} />],
        ['id', <Id key="id" id={of.id} />],
      ]}
    />
  </Section>
);
