import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../platform/errors';
import { guard } from '../../schema/guard';
import { parseJson } from '../json';
import { rejectOtherMethods } from '../methodNotAllowed';
import { schema } from '../operations';
import { handleRequest, JSON_TYPE, type ServerDependencies } from '../request';
import { mutationFields } from './rootFields';
import { GraphqlServer } from './server';

export function addGraphql(server: FastifyInstance, parts: ServerDependencies): void {
  const door = new GraphqlServer(parts.environment, parts.log);
  server.addHook('onClose', () => door.close());
  server.post('/graphql', (request, reply) => {
    const failure = (error: ApiError) => ({
      status: error.http_code,
      headers: JSON_TYPE,
      body: JSON.stringify(error.graphqlBody(request.id)),
    });
    const read = readBody(request.body);
    // Without the word there can be no mutation; with it there may be one.
    request.isReading = !`${read.body?.query}`.includes('mutation');
    const named = request.headers['idempotency-key'] !== undefined && read.body ? mutationFields(read.body) : [];
    return handleRequest(parts, request, reply, {
      path: '/graphql',
      takesIdempotencyKey: named.length === 1,
      guard: context => {
        // Refused as a whole here, since a first answer may lie ready for the private key.
        for (const name of named) {
          const field = schema.getMutationType()?.getFields()[name];
          if (field) guard(context, field);
        }
        // A key that would not hold must not look as if it did.
        if (named.length > 1)
          throw new ApiError('malformed', 'An Idempotency-Key takes a document with exactly one mutation field');
      },
      renderError: failure,
      perform: async context => {
        if (!read.body) throw read.problem;
        return { ...(await door.answer(context, read.body)), headers: JSON_TYPE };
      },
    });
  });
  rejectOtherMethods(server, '/graphql', ['POST']);
}

function readBody(bytes: unknown): { body?: Record<string, unknown>; problem?: unknown } {
  try {
    const body = parseJson(bytes instanceof Uint8Array ? bytes : new Uint8Array());
    if (typeof body === 'object' && body !== null && !Array.isArray(body))
      return { body: body as Record<string, unknown> };
    return { problem: new ApiError('malformed', 'The body is not a JSON object') };
  } catch (problem) {
    return { problem };
  }
}
