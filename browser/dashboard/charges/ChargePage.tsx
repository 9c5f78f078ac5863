import { found } from '../api/found';
import { useQuery } from '../api/useQuery';
import { Table } from '../lists/Table';
import { Facts, Id, Section } from '../ui/Facts';
import { Moment, Money } from '../ui/Figures';
import { PageHead } from '../ui/PageHead';
import { ThingPage } from '../ui/ThingPage';
import { ChargeActions } from './ChargeActions';
import { Acquirer, ChargeFacts, Payment } from './ChargeFacts';
import { ChargeChip, whatIsCharged } from './columns';
import { ObjectEvents } from './ObjectEvents';
import { CHARGE, type ChargeDetails } from './operations';
import { t } from './texts';

export function ChargePage({ id }: { id: string }) {
  const asked = useQuery(CHARGE, { id }, { refreshOn: event => event.object_id === id });
  return (
    <ThingPage of={asked}>{({ charge }) => <ChargeView charge={found(charge)} reload={asked.reload} />}</ThingPage>
  );
}

function ChargeView({ charge, reload }: { charge: ChargeDetails; reload: () => void }) {
  const { amount, status, transaction_type, metadata, refunds } = charge;
  const isCharge = transaction_type === 'charge';
  const name = isCharge ? t.one : t.aRefund;
  return (
    <>
      <PageHead
        title={<Money amount={amount} />}
        name={`${name} ${whatIsCharged(charge)}`}
        action={isCharge && <ChargeActions charge={charge} done={reload} />}
      >
        <ChargeChip status={status} />
        <span class="hint">
          {name} · {whatIsCharged(charge)}
        </span>
      </PageHead>
      <Section title={t.facts} fields={['charge.amount', 'charge.iva', 'charge.refunds', 'charge.payment_plan']}>
        <ChargeFacts charge={charge} />
      </Section>
      <Acquirer charge={charge} />
      <Payment charge={charge} />
      {refunds && refunds.length > 0 && (
        <Section title={t.refunds} fields={['charge.refunds']}>
          <Table label={t.refunds} columns={refundColumns} rows={refunds} keyOf={({ id }) => id} />
        </Section>
      )}
      {metadata && Object.keys(metadata).length > 0 && (
        <Section title={t.metadata}>
          <Facts of={Object.entries(metadata)} />
        </Section>
      )}
      <ObjectEvents of={charge} />
    </>
  );
}

type Refund = NonNullable<ChargeDetails['refunds']>[number];
const refundColumns = [
  {
    key: 'amount',
    name: t.columns.amount,
    cell: ({ amount }: Refund) => <Money amount={amount} />,
    text: ({ amount }: Refund) => amount,
  },
  {
    key: 'why',
    name: t.why,
    cell: ({ description }: Refund) => description,
    text: ({ description }: Refund) => description,
  },
  {
    key: 'created',
    name: t.columns.created,
    cell: ({ creation_date }: Refund) => <Moment at={creation_date} />,
    text: ({ creation_date }: Refund) => creation_date,
  },
  { key: 'id', name: t.columns.id, cell: ({ id }: Refund) => <Id id={id} />, text: ({ id }: Refund) => id },
];
