/** `/operator`: how everything stands, on one page. It is signed in to with the key of an operator, of any role. */
import type { FastifyInstance } from 'fastify';
import { authenticate } from '../../api/authentication';
import { parseJson } from '../../api/json';
import { rejectOtherMethods } from '../../api/methodNotAllowed';
import { JSON_TYPE, type ServerDependencies } from '../../api/request';
import { requireOwnPage } from '../../api/sessions/signIn';
import { Operations } from '../../operations/operators/operations/fields';
import { readOperations } from '../../operations/operators/operations/rows';
import { ApiError } from '../../platform/errors';
import { rendererOf } from '../../schema/render';
import { addScriptPage } from '../front/scriptPage';
import { beginSession, endSession, requireOperator } from './session';

const MAX_BODY_BYTES = 4096;
const render = rendererOf(Operations);

export function addOperatorPage(server: FastifyInstance, dependencies: ServerDependencies): void {
  const { db, environment, publicUrl, apiKeyCache, admission } = dependencies;
  const owner = { publicUrl, secret: apiKeyCache.secret };
  addScriptPage(server, environment, 'operator', ['/operator']);

  // As the operations of GraphQL answer it, for whoever has the cookie.
  server.get('/operator/operations', async (request, reply) => {
    const holder = await requireOperator(db, owner, request);
    request.key_id = holder.key_id;
    const entry = await admission.enter(holder, { requestClass: 'read', weight: 1 });
    try {
      const body = JSON.stringify(render(await readOperations(db)));
      return reply.headers({ ...JSON_TYPE, 'cache-control': 'no-store' }).send(body);
    } finally {
      entry.leave();
    }
  });

  server.post('/operator/session', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    requireOwnPage(request, publicUrl);
    const body = Buffer.isBuffer(request.body) ? parseJson(request.body) : undefined;
    const { operator_key: key } = (body ?? {}) as { operator_key?: unknown };
    const header = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
    const holder = await authenticate(apiKeyCache, environment, header, request.ip).catch(async error => {
      if (error instanceof ApiError && error.kind === 'not_authenticated') await admission.countWrongKey(request.ip);
      throw error;
    });
    if (holder.kind !== 'operator') throw new ApiError('private_key_needed', 'operator_page');
    request.key_id = holder.key_id;
    beginSession(owner, reply, holder);
    return reply.code(204).send();
  });

  server.delete('/operator/session', (_, reply) => {
    endSession(owner, reply);
    return reply.code(204).send();
  });
  rejectOtherMethods(server, '/operator/operations', ['GET']);
  rejectOtherMethods(server, '/operator/session', ['POST', 'DELETE']);
}
