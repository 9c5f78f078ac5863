import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors';
import { type Parts, serve } from '../request';
import { parseJson } from '../rest/json';
import { GraphqlDoor, isOneMutation } from './door';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

export function addGraphql(server: FastifyInstance, parts: Parts): void {
  const door = new GraphqlDoor(parts.environment, parts.log);
  server.addHook('onClose', () => door.close());
  server.post('/graphql', (request, reply) => {
    const failure = (error: ApiError) => {
      const extensions = { ...error.extensions, request_id: request.id };
      return {
        status: error.http_code,
        headers: JSON_TYPE,
        body: JSON.stringify({ errors: [{ message: error.message, extensions }] }),
      };
    };
    let body: unknown;
    let problem: unknown;
    try {
      body = parseJson(request.body instanceof Uint8Array ? request.body : new Uint8Array());
      if (typeof body !== 'object' || body === null || Array.isArray(body))
        throw new ApiError('malformed', 'The body is not a JSON object');
    } catch (error) {
      problem = error;
    }
    return serve(parts, request, reply, {
      repeatable: !problem && request.headers['idempotency-key'] !== undefined && isOneMutation(body),
      failure,
      work: async context => {
        if (problem) throw problem;
        return { ...(await door.answer(context, body)), headers: JSON_TYPE };
      },
    });
  });
  server.route({
    method: ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'],
    url: '/graphql',
    handler: (_, reply) => {
      reply.header('allow', 'POST');
      throw new ApiError('method_not_allowed');
    },
  });
}
