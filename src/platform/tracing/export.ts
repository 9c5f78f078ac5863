import type { Database } from '../database/connection';
import { rememberTraces } from './remembered';
import { enableTracing } from './spans';

/**
 * Exports spans over OTLP if OTEL_EXPORTER_OTLP_ENDPOINT is set, and returns a function that flushes them. The packages
 * are loaded only then; they read the other OpenTelemetry variables themselves.
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
  enableTracing();
  rememberTraces(db);
  // An unreachable collector must not fail the shutdown.
  return () => provider.shutdown().catch(() => undefined);
}
