import { formatNumber } from '../../shared/format';
import { Chip } from '../../shared/ui/Chip';
import { Section } from '../../shared/ui/Facts';
import { Moment } from '../../shared/ui/Figures';
import { Table, type TableColumn, type TableProps } from '../../shared/ui/Table';
import { ActionButtons } from '../actions/ActionButtons';
import { LinkedText, ObjectId } from '../shell/ObjectId';
import { type Finding, mayAct, type Operations, type Paused, type Unknown, type Worker, watch } from '../state';
import { environmentName, t } from '../texts';
import { t as alertTexts } from './alertTexts';

const { invariants } = alertTexts;

const States = <Row,>(table: TableProps<Row>) => (
  <Section title={table.label}>
    <Table {...table} />
  </Section>
);

/** Columns are named by their titles, which differ. */
const column = <Row,>(name: string, cell: TableColumn<Row>['cell']): TableColumn<Row> => ({ key: name, name, cell });

const workerColumns = [
  column(t.status, ({ alive, draining }: Worker) =>
    draining ? (
      <Chip status="draining" tone="info" name={t.draining} />
    ) : (
      <Chip status="alive" tone={alive ? 'good' : 'bad'} name={alive ? t.alive : t.silent} />
    ),
  ),
  column(t.worker, ({ host, pid }: Worker) => (
    <span>
      {host} <small>{pid}</small>
    </span>
  )),
  column(t.build, ({ build }: Worker) => <code>{build}</code>),
  column(t.worksFor, ({ environment }: Worker) => (environment ? environmentName(environment) : t.both)),
  column(t.since, ({ started_at }: Worker) => <Moment at={started_at} />),
  column(t.beat, ({ beat_at }: Worker) => <Moment at={beat_at} />),
];

const isDrainable = ({ alive, draining }: Worker): boolean => alive && !draining;
const drainColumn = column(
  t.change,
  (worker: Worker) => isDrainable(worker) && <ActionButtons id={worker.id} actions={['drain']} reload={watch} />,
);

function Workers({ workers }: Pick<Operations, 'workers'>) {
  const columns = mayAct('support') ? [...workerColumns, drainColumn] : workerColumns;
  return <States label={t.workers} columns={columns} rows={workers} keyOf={({ id }) => id} empty={t.noWorkers} />;
}

const pausedColumns = [
  column(t.what, ({ kind, id, name }: Paused) => (
    <span>
      <Chip status="suspended" tone="warn" name={t.pausedKinds[kind] ?? kind} /> {name} <ObjectId id={id} />
    </span>
  )),
  column(t.worksFor, ({ environment }: Paused) => environmentName(environment)),
  column(t.reason, ({ reason }: Paused) => reason ?? '–'),
  column(t.by, ({ by }: Paused) => by ?? '–'),
  column(t.since, ({ since }: Paused) => <Moment at={since} />),
];

const unknownColumns = [
  column(t.transaction, ({ id, transaction_type, progress }: Unknown) => (
    <span>
      <Chip status="pending" name={`${transaction_type}, ${progress}`} /> <ObjectId id={id} />
    </span>
  )),
  column(t.worksFor, ({ environment }: Unknown) => environmentName(environment)),
  column(t.merchant, ({ merchant_id }: Unknown) => <ObjectId id={merchant_id} />),
  column(t.subscription, ({ subscription_id }: Unknown) => (subscription_id ? <ObjectId id={subscription_id} /> : '–')),
  column(t.since, ({ since }: Unknown) => <Moment at={since} />),
];

const findingColumns = [
  column(t.status, ({ differences }: Finding) => (
    <Chip
      status={differences === 0 ? 'matched' : 'failed'}
      name={differences === 0 ? t.agrees : t.differs(formatNumber(differences))}
    />
  )),
  column(t.invariant, ({ name, examples }: Finding) => (
    <div>
      {invariants[name] ?? name}
      {examples.length > 0 && (
        <ul class="examples">
          {examples.map(({ text }) => (
            <li key={text}>
              <code>
                <LinkedText text={text} />
              </code>
            </li>
          ))}
        </ul>
      )}
    </div>
  )),
  column(t.worksFor, ({ scope }: Finding) => environmentName(scope)),
  column(t.checked, ({ checks }: Finding) => formatNumber(checks)),
  column(t.audited, ({ ended_at }: Finding) => <Moment at={ended_at} />),
];

/** Findings of the audit with differences come first. */
export const Tables = ({ operations: { workers, paused, unknowns, audit } }: { operations: Operations }) => (
  <>
    <Workers workers={workers} />
    <States label={t.paused} columns={pausedColumns} rows={paused} keyOf={({ id }) => id} empty={t.noPaused} />
    <States label={t.unknowns} columns={unknownColumns} rows={unknowns} keyOf={({ id }) => id} empty={t.noUnknowns} />
    <States
      label={t.audit}
      columns={findingColumns}
      rows={[...audit].sort((a, b) => b.differences - a.differences)}
      keyOf={({ scope, name }) => `${scope} ${name}`}
      empty={t.noAudit}
    />
  </>
);
