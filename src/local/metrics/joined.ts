/** Serves the metrics of all processes of `npm start` on one page. */
import { joinMetrics } from '../../operations/metrics/join';
import { serveMetrics } from '../../operations/metrics/server';
import type { SavedPorts } from '../savedPorts';

const HOST = '127.0.0.1';
/** Must exceed the worker's database timeout. */
const MAX_WAIT_MS = 15_000;

export class JoinedMetrics {
  readonly url: string;
  private readonly port: number;

  constructor(
    private readonly ports: SavedPorts,
    port = ports.metrics_port,
  ) {
    this.port = port;
    this.url = `http://${HOST}:${port}/metrics`;
  }

  /** Environment variables that set the metrics port of a process. */
  variablesOf(name: string): Record<string, string> {
    const { api_metrics_port, worker_metrics_port, temporal_metrics_port } = this.ports;
    if (name === 'api') return { METRICS_HOST: HOST, METRICS_PORT: `${api_metrics_port}` };
    if (name !== 'worker') return {};
    return {
      METRICS_HOST: HOST,
      METRICS_PORT: `${worker_metrics_port}`,
      TEMPORAL_METRICS_PORT: `${temporal_metrics_port}`,
    };
  }

  async up(): Promise<void> {
    await serveMetrics(HOST, this.port, () => this.read());
  }

  /** Omits processes that are down. */
  private async read(): Promise<string> {
    const { api_metrics_port, worker_metrics_port, temporal_metrics_port } = this.ports;
    const ask = (port: number): Promise<string> =>
      fetch(`http://${HOST}:${port}/metrics`, { signal: AbortSignal.timeout(MAX_WAIT_MS) }).then(
        response => (response.ok ? response.text() : ''),
        () => '',
      );
    const [api, worker, temporal] = await Promise.all(
      [api_metrics_port, worker_metrics_port, temporal_metrics_port].map(ask),
    );
    return joinMetrics([
      ['api', api ?? ''],
      ['worker', worker ?? ''],
      ['worker', temporal ?? ''],
    ]);
  }
}
