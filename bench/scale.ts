/** The resources that many monthly subscriptions need, computed from the measured constants, as in docs/scale.md. */

export interface ScaleConstants {
  /** CPU milliseconds of a renewal. */
  workerMs: number;
  temporalMs: number;
  temporalPostgresMs: number;
  ownPostgresMs: number;
  /** Transactions of a renewal, including reads. */
  temporalCommits: number;
  ownCommits: number;
  /** Write-ahead log of a renewal. */
  logBytes: number;
  /** At Temporal: a sleeping subscription, and a closed run, which is kept for the retention of the namespace. */
  openBytes: number;
  closedBytes: number;
  /** The same in Temporal's table for searching workflows. */
  openSearchBytes: number;
  closedSearchBytes: number;
  /** In our database: subscription, customer and card. */
  ownBytes: number;
  /** A renewal leaves its transaction and ledger entries for good, events for 13 months, and deliveries for 30 days. */
  keptBytes: number;
  eventBytes: number;
  deliveryBytes: number;
}

/** Measured as docs/scale.md says. */
export const RECORDED: ScaleConstants = {
  workerMs: 10.8,
  temporalMs: 13.8,
  temporalPostgresMs: 9.1,
  ownPostgresMs: 4.4,
  temporalCommits: 25,
  ownCommits: 10,
  logBytes: 66_000,
  openBytes: 6200,
  closedBytes: 8300,
  openSearchBytes: 7000,
  closedSearchBytes: 7100,
  ownBytes: 1700,
  keptBytes: 4100,
  eventBytes: 1700,
  deliveryBytes: 700,
};

const SIZES = [1e6, 50e6];
const DAYS_PER_MONTH = 365 / 12;
/** `BILLING_WINDOW_MS`. */
const WINDOW_SECONDS = 7200;
/** 28 February: subscriptions of the 28th, 29th, 30th and 31st are due. */
const DAYS_ON_WORST_DAY = 4;
/** As in docker-compose.yml. */
const RETENTION_DAYS = 3;
const MAX_CORE_USAGE = 0.7;
/** Requests to the acquirer that a worker process has in flight, and their duration. */
const REQUESTS_PER_WORKER = 100;
const REQUEST_SECONDS = 1;
const MAX_SUBSCRIPTIONS_PER_SHARD = 20_000;

export type ScaleRow = [need: string, computation: string, ...values: string[]];

export function scaleTable(constants: ScaleConstants): ScaleRow[] {
  const c = constants;
  const daily = (n: number): number => n / DAYS_PER_MONTH;
  const peak = (n: number): number => (DAYS_ON_WORST_DAY * daily(n)) / WINDOW_SECONDS;
  const cores = (ms: number) => (n: number) => (peak(n) * ms) / 1000 / MAX_CORE_USAGE;
  const closed = RETENTION_DAYS / DAYS_PER_MONTH;
  const workers = (n: number): number =>
    Math.ceil(Math.max(cores(c.workerMs)(n), (peak(n) * REQUEST_SECONDS) / REQUESTS_PER_WORKER));
  const row = (
    need: string,
    computation: string,
    value: (n: number) => number,
    format: (value: number) => string,
  ): ScaleRow => [need, computation, ...SIZES.map(n => format(value(n)))];
  const ms = (value: number): string => `${Number(value.toFixed(1))} ms`;
  const temporalBytes = c.openBytes + closed * c.closedBytes;
  const searchBytes = c.openSearchBytes + closed * c.closedSearchBytes;
  return [
    row('renewals on an ordinary day', 'n / 30.4', daily, count),
    row('renewals per second on the busiest day', '4 × n / 30.4 / 7,200', peak, count),
    row('open requests to the acquirer', 'if it takes 1 s', n => peak(n) * REQUEST_SECONDS, count),
    row('worker processes, one core each', `× ${ms(c.workerMs)} / 70 %`, workers, count),
    row("cores for Temporal's server", `× ${ms(c.temporalMs)} / 70 %`, cores(c.temporalMs), count),
    row('cores for its PostgreSQL', `× ${ms(c.temporalPostgresMs)} / 70 %`, cores(c.temporalPostgresMs), count),
    row('cores for our PostgreSQL', `× ${ms(c.ownPostgresMs)} / 70 %`, cores(c.ownPostgresMs), count),
    row(
      'transactions per second at Temporal',
      `× ${count(c.temporalCommits)}`,
      n => peak(n) * c.temporalCommits,
      count,
    ),
    row('transactions per second of ours', `× ${count(c.ownCommits)}`, n => peak(n) * c.ownCommits, count),
    row('write-ahead log per second', `× ${bytes(c.logBytes)}`, n => peak(n) * c.logBytes, bytes),
    row(
      "Temporal's bytes",
      `n × (${bytes(c.openBytes)} + 0.1 × ${bytes(c.closedBytes)})`,
      n => n * temporalBytes,
      bytes,
    ),
    row(
      'search, bytes',
      `n × (${bytes(c.openSearchBytes)} + 0.1 × ${bytes(c.closedSearchBytes)})`,
      n => n * searchBytes,
      bytes,
    ),
    row('our bytes at rest', `n × ${bytes(c.ownBytes)}`, n => n * c.ownBytes, bytes),
    row('our bytes of a year, for good', `n × 12 × ${bytes(c.keptBytes)}`, n => n * 12 * c.keptBytes, bytes),
    row('our bytes of events', `n × 13 × ${bytes(c.eventBytes)}`, n => n * 13 * c.eventBytes, bytes),
    row('our bytes of deliveries to one webhook', `n × ${bytes(c.deliveryBytes)}`, n => n * c.deliveryBytes, bytes),
    row('shards, a power of two', 'at least n / 20,000, and 512', shards, count),
  ];
}

const shards = (n: number): number => Math.max(512, 2 ** Math.ceil(Math.log2(n / MAX_SUBSCRIPTIONS_PER_SHARD)));

const count = (value: number): string =>
  (value < 10
    ? Number(value.toFixed(1))
    : value < 1e5
      ? Math.round(value)
      : Number(value.toPrecision(3))
  ).toLocaleString('en');

function bytes(value: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.max(0, Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  return `${Number((value / 1000 ** power).toPrecision(2))} ${units[power]}`;
}

export function printScale(constants: ScaleConstants): void {
  console.info('\nOne million and 50 million monthly subscriptions');
  console.table(
    scaleTable(constants).map(([need, computation, million, fiftyMillion]) => ({
      need,
      computation,
      '1 million': million,
      '50 million': fiftyMillion,
    })),
  );
}
