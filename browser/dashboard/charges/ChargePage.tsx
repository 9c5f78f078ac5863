import { required } from '../../shared/api/required';
import { Id } from '../../shared/ui/Facts';
import { Moment, Money } from '../../shared/ui/Figures';
import { PageHead } from '../../shared/ui/PageHead';
import { useQuery } from '../api/useQuery';
import { Table } from '../lists/Table';
import { MetadataSection } from '../metadata/MetadataSection';
import { InvoiceLines } from '../pricing/InvoiceLines';
import { ObjectPage } from '../ui/ObjectPage';
import { Section } from '../ui/Section';
import { ChargeActions } from './ChargeActions';
import { Acquirer, ChargeFacts, Payment } from './ChargeFacts';
import { ChargeChip, chargeLabel } from './columns';
import { ObjectEvents } from './ObjectEvents';
import { CHARGE, type ChargeDetails } from './operations';
import { t } from './texts';

export function ChargePage({ id }: { id: string }) {
  // Only a paid charge has a receipt.
  const optionalFields = ['receipt'];
  const loaded = useQuery(CHARGE, { id }, { refreshOn: event => event.object_id === id, optionalFields });
  return (
    <ObjectPage of={loaded}>
      {({ charge, receipt }) => (
        <ChargeView charge={required(charge)} receiptUrl={receipt?.url} reload={loaded.reload} />
      )}
    </ObjectPage>
  );
}

interface ChargeViewProps {
  charge: ChargeDetails;
  receiptUrl: string | undefined;
  reload: () => void;
}

function ChargeView({ charge, receiptUrl, reload }: ChargeViewProps) {
  const { amount, status, transaction_type, metadata, refunds } = charge;
  const isCharge = transaction_type === 'charge';
  const name = isCharge ? t.one : t.aRefund;
  return (
    <>
      <PageHead
        title={<Money amount={amount} />}
        name={`${name} ${chargeLabel(charge)}`}
        action={
          <>
            {receiptUrl && (
              <a class="button plain" href={receiptUrl} target="_blank" rel="noreferrer">
                {t.viewReceipt}
              </a>
            )}
            {isCharge && <ChargeActions charge={charge} done={reload} />}
          </>
        }
      >
        <ChargeChip status={status} />
        <span class="hint">
          {name} · {chargeLabel(charge)}
        </span>
      </PageHead>
      <Section title={t.facts} fields={['charge.amount', 'charge.iva', 'charge.refunds', 'charge.payment_plan']}>
        <ChargeFacts charge={charge} />
      </Section>
      {charge.invoice && (
        <Section title={t.invoice} fields={['charge.invoice']}>
          <InvoiceLines invoice={charge.invoice} plan={chargeLabel(charge)} amount={amount} total={t.total} />
        </Section>
      )}
      {t.chargebacks[status] && (
        <Section title={t.chargeback}>
          <p>{t.chargebacks[status]}</p>
        </Section>
      )}
      <Acquirer charge={charge} />
      <Payment charge={charge} />
      {refunds && refunds.length > 0 && (
        <Section title={t.refunds} fields={['charge.refunds']}>
          <Table label={t.refunds} columns={refundColumns} rows={refunds} keyOf={({ id }) => id} />
        </Section>
      )}
      <MetadataSection of={metadata} />
      <ObjectEvents of={charge} />
    </>
  );
}

type Refund = NonNullable<ChargeDetails['refunds']>[number];
const refundColumns = [
  { key: 'amount', name: t.columns.amount, cell: ({ amount }: Refund) => <Money amount={amount} /> },
  { key: 'why', name: t.why, cell: ({ description }: Refund) => description },
  { key: 'created', name: t.columns.created, cell: ({ creation_date }: Refund) => <Moment at={creation_date} /> },
  { key: 'id', name: t.columns.id, cell: ({ id }: Refund) => <Id id={id} /> },
];
