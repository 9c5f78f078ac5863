import type { Log } from '../../platform/log';
import { registry } from '../../platform/metrics/counters';
import { readDatabase } from './database';
import { type Observed, observeProcess } from './process';
import { serveMetrics } from './server';
import './charges';
import '../background/renewalCounts';

interface MetricsConfig {
  DATABASE_URL: string;
  METRICS_HOST: string;
  METRICS_PORT: number | undefined;
}

/** Serves the metrics of this process if METRICS_PORT is set. A worker also reports database metrics. */
export async function exposeMetrics(
  { DATABASE_URL, METRICS_HOST, METRICS_PORT }: MetricsConfig,
  { worker, ...observed }: Observed & { worker?: { environments: readonly string[]; log: Log } },
): Promise<void> {
  if (!METRICS_PORT) return;
  observeProcess(observed);
  const refresh = worker ? readDatabase(DATABASE_URL, worker.environments, worker.log) : async () => undefined;
  await serveMetrics(METRICS_HOST, METRICS_PORT, () => refresh().then(() => registry.metrics()));
}
