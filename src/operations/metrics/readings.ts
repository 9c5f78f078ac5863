/** Queries of the worker's metrics page, and the gauges that they set. */
import { Counter, Gauge } from 'prom-client';
import { registry } from '../../platform/metrics/counters';
import { OUTBOX_KINDS } from '../background/outboxHandlers';
import {
  AUDIT_RESULTS,
  DELIVERIES,
  OUTBOX,
  OVERDUE,
  OVERDUE_BY_MERCHANT,
  UNKNOWNS,
} from '../operators/operations/figures';

type Labels = Record<string, string>;

export interface ReadRow {
  value: number;
  oldest?: number;
}

export interface Reading {
  name: string;
  /** $1 is the list of environments. Each row has labels and values. */
  sql: string;
  /** Label sets that are reported as 0 without a row. */
  defaultLabels?: Labels[];
  gauges: Partial<Record<'value' | 'oldest', Gauge>>;
}

const MAX_NAMED_MERCHANTS = 5;

const gauge = (name: string, help: string, ...labels: string[]): Gauge =>
  new Gauge({ name, help, labelNames: ['environment', ...labels], registers: [registry] });

/** Call once per worker. */
export const readings = (): Reading[] => [
  {
    name: 'overdue',
    sql: OVERDUE,
    defaultLabels: [{}],
    gauges: {
      value: gauge('recaudo_renewals_overdue', 'Renewals that were due more than a minute ago.'),
      oldest: gauge('recaudo_renewals_overdue_seconds', 'Seconds since the oldest overdue renewal was due.'),
    },
  },
  {
    name: 'overdue_merchants',
    sql: `select * from (${OVERDUE_BY_MERCHANT}) as late order by oldest desc limit ${MAX_NAMED_MERCHANTS}`,
    gauges: {
      oldest: gauge(
        'recaudo_merchant_renewals_overdue_seconds',
        'Seconds since the oldest overdue renewal was due, for the five merchants with the oldest ones.',
        'merchant',
      ),
    },
  },
  {
    name: 'unknowns',
    sql: UNKNOWNS,
    defaultLabels: [{}],
    gauges: {
      value: gauge('recaudo_open_unknowns', 'Acquirer operations with an unknown outcome.'),
    },
  },
  {
    name: 'outbox',
    sql: OUTBOX,
    defaultLabels: OUTBOX_KINDS.map(kind => ({ kind })),
    gauges: {
      value: gauge('recaudo_outbox_rows', 'Pending outbox rows.', 'kind'),
      oldest: gauge('recaudo_outbox_age_seconds', 'Seconds since the oldest outbox row was due.', 'kind'),
    },
  },
  {
    name: 'deliveries',
    sql: DELIVERIES,
    defaultLabels: [{}],
    gauges: {
      value: gauge('recaudo_delivery_backlog', 'Webhook deliveries waiting to be sent, counted up to 100,000.'),
    },
  },
  {
    name: 'audit',
    sql: `select scope as environment, name as invariant, differences::float as value,
      extract(epoch from ended_at)::float as oldest from (${AUDIT_RESULTS}) as latest`,
    gauges: {
      value: gauge('recaudo_invariant_violations', 'Differences found by the latest reconciliation.', 'invariant'),
      oldest: gauge(
        'recaudo_audit_timestamp_seconds',
        'End time of the latest reconciliation, in Unix seconds.',
        'invariant',
      ),
    },
  },
];

export const failedReadings = (): Counter =>
  new Counter({
    name: 'recaudo_failed_readings_total',
    help: 'Metrics queries that failed or timed out.',
    labelNames: ['reading'],
    registers: [registry],
  });

/** Resets all gauges first: values without a row, or of a failed query, disappear. */
export function updateGauges(
  { defaultLabels = [], gauges }: Reading,
  environments: readonly string[],
  rows?: readonly ReadRow[],
): void {
  for (const [column, target] of Object.entries(gauges)) {
    target.reset();
    if (!rows) continue;
    for (const environment of environments)
      for (const labels of defaultLabels) target.set({ environment, ...labels }, 0);
    for (const { value, oldest = 0, ...labels } of rows) target.set(labels, column === 'oldest' ? oldest : value);
  }
}
