import { METHODS } from 'node:http';
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { ApiError } from '../platform/errors';

/** All methods that Node parses except CONNECT, which has no path. */
const ALL_METHODS = METHODS.filter(method => method !== 'CONNECT') as HTTPMethods[];

/** Must run before the first route is added. */
export function registerAllMethods(server: FastifyInstance): void {
  for (const method of ALL_METHODS) if (!server.supportedMethods.includes(method)) server.addHttpMethod(method);
  // Fastify would reject it for its content type first.
  server.addHttpMethod('QUERY', { overrideExisting: true });
}

/** Responds to other methods with 405 and an Allow header. GET implies HEAD. */
export function rejectOtherMethods(server: FastifyInstance, url: string, allowed: readonly HTTPMethods[]): void {
  const methods = allowed.includes('GET') ? [...allowed, 'HEAD' as const] : [...allowed];
  server.route({
    method: ALL_METHODS.filter(method => !methods.includes(method)),
    url,
    handler: (_, reply) => {
      reply.header('allow', methods.join(', '));
      throw new ApiError('method_not_allowed');
    },
  });
}
