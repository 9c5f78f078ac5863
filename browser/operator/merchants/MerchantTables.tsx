import { required } from '../../shared/api/required';
import { actionName } from '../../shared/auditActions';
import { Chip } from '../../shared/ui/Chip';
import { Section } from '../../shared/ui/Facts';
import { Moment, Money } from '../../shared/ui/Figures';
import { Table, type TableColumn } from '../../shared/ui/Table';
import { ObjectId } from '../shell/ObjectId';
import { t as common } from '../texts';
import type { MerchantResult } from './operations';
import { t } from './texts';

type Activity = NonNullable<MerchantResult['merchantActivity']>;
type Transaction = Activity['charges'][number];
type Subscription = Activity['subscriptions'][number];
type Webhook = Activity['webhooks'][number];
type Hold = NonNullable<MerchantResult['holds']>['nodes'][number];
type AuditLine = NonNullable<MerchantResult['operatorAuditLog']>['nodes'][number];

const id = { key: 'id', name: t.id, cell: ({ id }: { id: string }) => <ObjectId id={id} /> };
const status = { key: 'status', name: t.status, cell: ({ status }: { status: string }) => <Chip status={status} /> };
const created = {
  key: 'created',
  name: t.created,
  cell: ({ creation_date }: { creation_date: string }) => <Moment at={creation_date} />,
};

const amount: TableColumn<Transaction> = {
  key: 'amount',
  name: t.amount,
  cell: ({ amount }) => <Money amount={amount} />,
  isNumber: true,
};
const payoutColumns: TableColumn<Transaction>[] = [id, status, amount, created];
const chargeColumns: TableColumn<Transaction>[] = [
  id,
  status,
  { key: 'method', name: t.method, cell: ({ method }) => t.methods[method] ?? method },
  amount,
  created,
];
const subscriptionColumns: TableColumn<Subscription>[] = [
  id,
  status,
  { key: 'plan', name: t.plan, cell: ({ plan }) => plan },
  created,
];
const webhookColumns: TableColumn<Webhook>[] = [{ key: 'host', name: t.host, cell: ({ host }) => host }, status, id];
const holdColumns: TableColumn<Hold>[] = [
  {
    key: 'object',
    name: t.object,
    cell: ({ scope, object_id }) => (
      <>
        {common.pausedKinds[`${scope}_held`] ?? scope} <ObjectId id={object_id} />
      </>
    ),
  },
  { key: 'reason', name: t.reason, cell: ({ reason }) => reason },
  { key: 'by', name: t.by, cell: ({ actor, actor_id }) => `${t.actors[actor] ?? actor} ${actor_id ?? ''}` },
  { key: 'since', name: t.since, cell: ({ held_at }) => <Moment at={held_at} /> },
  { key: 'until', name: t.until, cell: ({ until }) => (until ? <Moment at={until} /> : t.anOperator) },
];

const reasonOf = ({ after }: AuditLine): string => (typeof after?.reason === 'string' ? after.reason : '');

const auditColumns: TableColumn<AuditLine>[] = [
  { key: 'action', name: t.action, cell: ({ name, description }) => actionName(name, description) },
  { key: 'object', name: t.object, cell: ({ object_id }) => object_id && <ObjectId id={object_id} /> },
  { key: 'reason', name: t.reason, cell: reasonOf },
  { key: 'by', name: t.by, cell: ({ actor, actor_id }) => `${t.actors[actor] ?? actor} ${actor_id ?? ''}` },
  { key: 'at', name: t.date, cell: ({ creation_date }) => <Moment at={creation_date} /> },
];

interface TableSectionProps<Row> {
  label: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  empty: string;
}

const TableSection = <Row extends { id: string }>(table: TableSectionProps<Row>) => (
  <Section title={table.label}>
    <Table {...table} keyOf={({ id }) => id} />
  </Section>
);

export function MerchantTables({ result }: { result: MerchantResult }) {
  const { charges, payouts, subscriptions, webhooks } = required(result.merchantActivity);
  return (
    <>
      <TableSection label={t.holds} columns={holdColumns} rows={required(result.holds).nodes} empty={t.noHolds} />
      <TableSection label={t.recentCharges} columns={chargeColumns} rows={charges} empty={t.noCharges} />
      <TableSection
        label={t.recentSubscriptions}
        columns={subscriptionColumns}
        rows={subscriptions}
        empty={t.noSubscriptions}
      />
      <TableSection label={t.payouts} columns={payoutColumns} rows={payouts} empty={t.noPayouts} />
      <TableSection label={t.webhooks} columns={webhookColumns} rows={webhooks} empty={t.noWebhooks} />
      <TableSection
        label={t.audit}
        columns={auditColumns}
        rows={required(result.operatorAuditLog).nodes}
        empty={t.noAudit}
      />
    </>
  );
}
