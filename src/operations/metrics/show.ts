import type { Log } from '../../platform/log';
import { registry } from '../../platform/metrics/counters';
import { readDatabase } from './database';
import { type Observed, observeProcess } from './process';
import { serveMetrics } from './server';
import './charges';
import './renewals';

interface MetricsConfig {
  DATABASE_URL: string;
  METRICS_HOST: string;
  METRICS_PORT: number | undefined;
}

/** Shows the metrics of this process, if it has a port for them: a worker also what the database says of its work. */
export async function showMetrics(
  { DATABASE_URL, METRICS_HOST, METRICS_PORT }: MetricsConfig,
  { worker, ...observed }: Observed & { worker?: { environments: readonly string[]; log: Log } },
): Promise<void> {
  if (!METRICS_PORT) return;
  observeProcess(observed);
  const refresh = worker ? readDatabase(DATABASE_URL, worker.environments, worker.log) : async () => undefined;
  await serveMetrics(METRICS_HOST, METRICS_PORT, () => refresh().then(() => registry.metrics()));
}
