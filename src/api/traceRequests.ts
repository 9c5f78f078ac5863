/** Every request is a span of its client's trace, or the first span of a new one. */
import { type Context, context, propagation, ROOT_CONTEXT, type Span, SpanKind, trace } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { Environment } from '../../prisma/generated/enums';
import { areSpansKept, fail } from '../platform/tracing/spans';
import { nameOf } from './countRequests';

declare module 'fastify' {
  interface FastifyRequest {
    trace: { span: Span; of: Context } | null;
  }
}

export function traceRequests(server: FastifyInstance, environment: Environment): void {
  server.decorateRequest('trace', null);
  if (!areSpansKept()) return;
  server.addHook('onRequest', (request, _reply, done) => {
    const caller = propagation.extract(ROOT_CONTEXT, request.headers);
    const attributes = { environment, 'http.request.method': request.method, request_id: request.id };
    const span = trace.getTracer('recaudo').startSpan('request', { kind: SpanKind.SERVER, attributes }, caller);
    request.trace = { span, of: trace.setSpan(caller, span) };
    done();
  });
  // In this hook, because the last bytes of the body arrive outside of any context.
  server.addHook('preValidation', (request, _reply, done) => {
    if (request.trace) context.with(request.trace.of, done);
    else done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { merchant_id, transaction_id, trace: traced } = request;
    const [api, operation] = nameOf(request);
    traced?.span.updateName(`${api} ${operation}`);
    traced?.span.setAttributes({ 'http.response.status_code': reply.statusCode, merchant_id, transaction_id });
    if (traced && reply.statusCode >= 500) fail(traced.span, new Error());
    traced?.span.end();
    done();
  });
}
