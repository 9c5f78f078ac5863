import type { ComponentChildren } from 'preact';
import { formatNumber } from '../shared/format';
import { Chip } from '../shared/ui/Chip';
import { Id, Section } from '../shared/ui/Facts';
import { Moment } from '../shared/ui/Figures';
import type { Finding, Operations, Paused, Unknown, Worker } from './state';
import { environmentName, t } from './texts';

/** A table that becomes cards on a phone: each cell then says what it is. */
function Table({
  title,
  columns,
  rows,
  empty,
}: {
  title: string;
  columns: readonly string[];
  rows: readonly { key: string; cells: readonly ComponentChildren[] }[];
  empty: string;
}) {
  return (
    <Section title={title}>
      {rows.length === 0 ? (
        <p class="hint">{empty}</p>
      ) : (
        <table class="states">
          <thead>
            <tr>
              {columns.map(name => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, cells }) => (
              <tr key={key}>
                {cells.map((cell, i) => (
                  <td key={columns[i]} data-name={columns[i]}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

const workerState = ({ alive, draining }: Worker) =>
  draining ? (
    <Chip status="draining" tone="info" name={t.draining} />
  ) : (
    <Chip status="alive" tone={alive ? 'good' : 'bad'} name={alive ? t.alive : t.silent} />
  );

const workerRow = (worker: Worker) => ({
  key: worker.id,
  cells: [
    workerState(worker),
    <span key="host">
      {worker.host} <small>{worker.pid}</small>
    </span>,
    <code key="build">{worker.build}</code>,
    worker.environment ? environmentName(worker.environment) : t.both,
    <Moment key="since" at={worker.started_at} />,
    <Moment key="beat" at={worker.beat_at} />,
  ],
});

const pausedRow = ({ kind, environment, id, name, reason, by, since }: Paused) => ({
  key: id,
  cells: [
    <span key="what">
      <Chip status="suspended" tone="warn" name={t.pausedKinds[kind] ?? kind} /> {name} <Id id={id} />
    </span>,
    environmentName(environment),
    reason ?? '–',
    by ?? '–',
    <Moment key="since" at={since} />,
  ],
});

const unknownRow = ({ id, environment, merchant_id, transaction_type, progress, subscription_id, since }: Unknown) => ({
  key: id,
  cells: [
    <span key="what">
      <Chip status="pending" name={`${transaction_type}, ${progress}`} /> <Id id={id} />
    </span>,
    environmentName(environment),
    <Id key="merchant" id={merchant_id} />,
    subscription_id ? <Id key="subscription" id={subscription_id} /> : '–',
    <Moment key="since" at={since} />,
  ],
});

const findingRow = ({ scope, name, checks, differences, examples, ended_at }: Finding) => ({
  key: `${scope} ${name}`,
  cells: [
    <Chip
      key="state"
      status={differences === 0 ? 'matched' : 'failed'}
      name={differences === 0 ? t.agrees : t.differs(formatNumber(differences))}
    />,
    <div key="name">
      {t.invariants[name] ?? name}
      {examples.length > 0 && (
        <ul class="examples">
          {examples.map(({ text }) => (
            <li key={text}>
              <code>{text}</code>
            </li>
          ))}
        </ul>
      )}
    </div>,
    environmentName(scope),
    formatNumber(checks),
    <Moment key="ended" at={ended_at} />,
  ],
});

/** Findings of the audit with differences come first. */
export const Tables = ({ operations: { workers, paused, unknowns, audit } }: { operations: Operations }) => (
  <>
    <Table
      title={t.workers}
      columns={[t.state, t.worker, t.build, t.worksFor, t.since, t.beat]}
      rows={workers.map(workerRow)}
      empty={t.noWorkers}
    />
    <Table
      title={t.paused}
      columns={[t.what, t.worksFor, t.reason, t.by, t.since]}
      rows={paused.map(pausedRow)}
      empty={t.noPaused}
    />
    <Table
      title={t.unknowns}
      columns={[t.transaction, t.worksFor, t.merchant, t.subscription, t.since]}
      rows={unknowns.map(unknownRow)}
      empty={t.noUnknowns}
    />
    <Table
      title={t.audit}
      columns={[t.state, t.invariant, t.worksFor, t.checked, t.audited]}
      rows={[...audit].sort((a, b) => b.differences - a.differences).map(findingRow)}
      empty={t.noAudit}
    />
  </>
);
