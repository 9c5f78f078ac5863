/** Sends spans to a collector over OTLP, where OTEL_EXPORTER_OTLP_ENDPOINT names one. */
import type { Database } from '../database/connection';
import { rememberTraces } from './remembered';
import { turnOn } from './spans';

/**
 * Returns what sends the spans that are left. The packages are loaded only here, so that a process without a collector
 * neither loads nor runs them; they read the other variables of OpenTelemetry themselves.
 */
export async function startTracing(
  program: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: { OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined },
  db: Database,
): Promise<() => Promise<void>> {
  if (!endpoint) return async () => undefined;
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.namespace': 'recaudo', 'service.name': `recaudo-${program}` }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  turnOn();
  rememberTraces(db);
  // A collector that is away must not fail the shutdown.
  return () => provider.shutdown().catch(() => undefined);
}
