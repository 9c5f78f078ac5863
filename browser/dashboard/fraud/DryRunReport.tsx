import { Chip } from '../../shared/ui/Chip';
import { Id } from '../../shared/ui/Facts';
import { momentColumn, moneyColumn } from '../lists/columns';
import { Table } from '../lists/Table';
import { Section } from '../ui/Section';
import type { DryRunResult } from './operations';
import { t } from './texts';

type Refused = DryRunResult['charges']['nodes'][number];

const columns = [
  { key: 'id', name: t.charge, cell: ({ id }: Refused) => <Id id={id} /> },
  moneyColumn('amount', t.amount, ({ amount }: Refused) => amount),
  { key: 'status', name: t.status, cell: ({ status }: Refused) => <Chip status={status} /> },
  momentColumn('date', t.date, ({ creation_date }: Refused) => creation_date),
];

export const DryRunReport = ({
  of: {
    evaluated,
    refused,
    warning,
    charges: { nodes },
  },
}: {
  of: DryRunResult;
}) => (
  <Section title={t.refused} fields={['dryRunFraudRule']}>
    <p role="status">{t.tried(refused, evaluated)}</p>
    {warning && <p class="problem">{warning}</p>}
    {nodes.length > 0 && (
      <Table
        label={t.refused}
        columns={columns}
        rows={nodes}
        keyOf={({ id }) => id}
        href={({ id }) => `/charges/${id}`}
      />
    )}
  </Section>
);
