/** What others decide reaches us here, signed by the acquirer: the one way in for chargebacks, vouchers and banks. */
import type { FastifyInstance } from 'fastify';
import { isSigned } from '../acquirer/signature';
import { applyChargeback, STEPS, type Step } from '../charges/chargeback';
import { ApiError } from '../errors';
import { isId } from '../identifiers';
import { refuseOtherMethods } from '../methods';
import type { Parts } from '../request';

export const NOTIFICATIONS = '/notifications/acquirer';

interface Notification {
  type?: unknown;
  key?: unknown;
  outcome?: unknown;
}

export function addNotifications(server: FastifyInstance, { db, acquirerKey, environment }: Parts): void {
  server.post(NOTIFICATIONS, async (request, reply) => {
    const body = request.body instanceof Uint8Array ? Buffer.from(request.body).toString('utf8') : '';
    const { signature } = request.headers;
    if (!isSigned(acquirerKey, typeof signature === 'string' ? signature : undefined, body))
      throw new ApiError('not_authenticated', 'The notification is not signed');
    const { type, key, outcome } = read(body);
    if (type !== 'chargeback' || typeof key !== 'string' || !isId(key) || !isStep(outcome))
      throw new ApiError('malformed', 'This is no notification that is known here');
    const charge = await db.transaction.findFirst({
      where: { id: key, transaction_type: 'charge', merchant: { environment } },
    });
    if (!charge) throw new ApiError('not_found');
    await applyChargeback({ db }, charge, outcome);
    return reply.status(204).send();
  });
  refuseOtherMethods(server, NOTIFICATIONS, ['POST']);
}

const isStep = (outcome: unknown): outcome is Step => typeof outcome === 'string' && Object.hasOwn(STEPS, outcome);

function read(body: string): Notification {
  try {
    return (JSON.parse(body) ?? {}) as Notification;
  } catch {
    throw new ApiError('malformed', 'The body is not valid JSON');
  }
}
