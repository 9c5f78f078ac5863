/** `/operator`: the pages of operators, for both environments. An operator signs in with a key of any role. */
import type { FastifyInstance } from 'fastify';
import { authenticate } from '../../api/authentication';
import { parseJson } from '../../api/json';
import { rejectOtherMethods } from '../../api/methodNotAllowed';
import type { ServerDependencies } from '../../api/request';
import { beginSession, endSession } from '../../api/sessions/operatorSession';
import { requireOwnPage } from '../../api/sessions/ownPage';
import { ApiError } from '../../platform/errors';
import { addScriptPage } from '../front/scriptPage';

const MAX_BODY_BYTES = 4096;

export function addOperatorPage(server: FastifyInstance, dependencies: ServerDependencies): void {
  const { db, environment, publicUrl, apiKeyCache, admission } = dependencies;
  const owner = { publicUrl, secret: apiKeyCache.secret };
  addScriptPage(server, environment, 'operator', ['/operator', '/operator/*']);

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

  // A request without a session is already signed out.
  server.delete('/operator/session', async (request, reply) => {
    await endSession(db, owner, request, reply);
    return reply.code(204).send();
  });
  rejectOtherMethods(server, '/operator/session', ['POST', 'DELETE']);
}
