import { METHODS } from 'node:http';
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { ApiError } from '../platform/errors';

/** All that Node can read; CONNECT has no path and comes another way. */
const ALL_METHODS = METHODS.filter(method => method !== 'CONNECT') as HTTPMethods[];

/** Before the first path, so that every path can name them. */
export function registerAllMethods(server: FastifyInstance): void {
  for (const method of ALL_METHODS) if (!server.supportedMethods.includes(method)) server.addHttpMethod(method);
}

/** Whatever else is asked of a path is answered with what it takes. Where there is GET there is HEAD. */
export function rejectOtherMethods(server: FastifyInstance, url: string, taken: readonly HTTPMethods[]): void {
  const methods = taken.includes('GET') ? [...taken, 'HEAD' as const] : [...taken];
  server.route({
    method: ALL_METHODS.filter(method => !methods.includes(method)),
    url,
    handler: (_, reply) => {
      reply.header('allow', methods.join(', '));
      throw new ApiError('method_not_allowed');
    },
  });
}
