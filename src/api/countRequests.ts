/** Counts requests for the metrics, by operation in both APIs or by the path of a page. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Environment } from '../../prisma/generated/enums';
import { requestSeconds, requests } from '../platform/metrics/counters';

declare module 'fastify' {
  interface FastifyRequest {
    /** The root field of a GraphQL document. */
    operation: string;
    /** The highest status of the errors in a response that itself has status 200. */
    errorStatus: number;
  }
  interface FastifyContextConfig {
    /** The root field that a REST route serves. */
    operation?: string;
  }
}

export function countRequests(server: FastifyInstance, environment: Environment): void {
  server.decorateRequest('operation', '');
  server.decorateRequest('errorStatus', 0);
  server.addHook('onResponse', (request, reply, done) => {
    const [api, operation] = nameOf(request);
    const outcome = outcomeOf(Math.max(reply.statusCode, request.errorStatus));
    requests.inc({ environment, api, operation, outcome });
    // The duration of a stream depends on its client.
    if (api !== 'stream') requestSeconds.observe({ api, operation }, reply.elapsedTime / 1000);
    done();
  });
}

/** The API and the operation. */
export function nameOf({ operation, routeOptions: { url = '(unknown)', config } }: FastifyRequest): [string, string] {
  if (config?.operation) return ['rest', config.operation];
  if (operation) return ['graphql', operation];
  return [url === '/graphql/stream' ? 'stream' : 'page', url];
}

function outcomeOf(status: number): string {
  if (status === 429) return 'limited';
  return status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'ok';
}
