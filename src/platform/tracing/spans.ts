/** OpenTelemetry spans. Without an exporter these functions add nothing. */
import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapSetter,
  trace,
} from '@opentelemetry/api';

const TRACER = 'recaudo';
let isTracing = false;

export function enableTracing(): void {
  isTracing = true;
}

export const areSpansKept = (): boolean => isTracing;

interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** The active context by default. */
  parent?: Context;
}

/** Records only the error's name, because messages may contain payer data. */
export function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name });
}

export async function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  if (!isTracing) return work();
  const { parent = context.active(), ...rest } = options;
  return trace.getTracer(TRACER).startActiveSpan(name, rest, parent, async span => {
    try {
      return await work();
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

export const inClientSpan = <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> =>
  inSpan(name, { kind: SpanKind.CLIENT, attributes }, work);

const setter: TextMapSetter<Record<string, string>> = {
  set: (carrier, key, value) => {
    carrier[key] = value;
  },
};

export function traceHeaders(of: Context = context.active()): Record<string, string> {
  const headers: Record<string, string> = {};
  if (isTracing) propagation.inject(of, headers, setter);
  return headers;
}
