/** What the worker asks the database for its metrics page: each statement, and which gauges its rows set. */
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
  /** Of the environments in $1. A row has labels and values. */
  sql: string;
  /** Those that are there even if no row says so, as zeros. */
  always?: Labels[];
  gauges: Partial<Record<'value' | 'oldest', Gauge>>;
}

const MAX_NAMED_MERCHANTS = 5;

const gauge = (name: string, help: string, ...labels: string[]): Gauge =>
  new Gauge({ name, help, labelNames: ['environment', ...labels], registers: [registry] });

/** Called once in a worker. */
export const readings = (): Reading[] => [
  {
    name: 'overdue',
    sql: OVERDUE,
    always: [{}],
    gauges: {
      value: gauge('recaudo_renewals_overdue', 'Renewals that were due more than a minute ago.'),
      oldest: gauge('recaudo_renewals_overdue_seconds', 'For how long the oldest of them has been due.'),
    },
  },
  {
    name: 'overdue_merchants',
    sql: `select * from (${OVERDUE_BY_MERCHANT}) as late order by oldest desc limit ${MAX_NAMED_MERCHANTS}`,
    gauges: {
      oldest: gauge(
        'recaudo_merchant_renewals_overdue_seconds',
        'The same for the five merchants who wait longest.',
        'merchant',
      ),
    },
  },
  {
    name: 'unknowns',
    sql: UNKNOWNS,
    always: [{}],
    gauges: {
      value: gauge('recaudo_open_unknowns', 'Attempts at the acquirer whose outcome is not known.'),
    },
  },
  {
    name: 'outbox',
    sql: OUTBOX,
    always: OUTBOX_KINDS.map(kind => ({ kind })),
    gauges: {
      value: gauge('recaudo_outbox_rows', 'Follow-up work that is not done yet.', 'kind'),
      oldest: gauge('recaudo_outbox_age_seconds', 'For how long the oldest of it could have been done.', 'kind'),
    },
  },
  {
    name: 'deliveries',
    sql: DELIVERIES,
    always: [{}],
    gauges: {
      value: gauge('recaudo_delivery_backlog', 'Webhook deliveries that are to be sent now, of up to 100,000.'),
    },
  },
  {
    name: 'audit',
    sql: `select scope as environment, name as invariant, differences::float as value,
      extract(epoch from ended_at)::float as oldest from (${AUDIT_RESULTS}) as latest`,
    gauges: {
      value: gauge('recaudo_invariant_violations', 'Differences that the latest audit found.', 'invariant'),
      oldest: gauge('recaudo_audit_timestamp_seconds', 'When that audit ended.', 'invariant'),
    },
  },
];

export const failedReadings = (): Counter =>
  new Counter({
    name: 'recaudo_failed_readings_total',
    help: 'Statements for metrics that failed or took too long.',
    labelNames: ['reading'],
    registers: [registry],
  });

/** Only what was read is shown: a merchant that is not late any more is gone, and so is all that could not be read. */
export function show(
  { always = [], gauges }: Reading,
  environments: readonly string[],
  rows?: readonly ReadRow[],
): void {
  for (const [column, target] of Object.entries(gauges)) {
    target.reset();
    if (!rows) continue;
    for (const environment of environments) for (const labels of always) target.set({ environment, ...labels }, 0);
    for (const { value, oldest = 0, ...labels } of rows) target.set(labels, column === 'oldest' ? oldest : value);
  }
}
