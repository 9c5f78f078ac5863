/** Signed notifications of the acquirer: chargebacks, paid vouchers and Bre-B payments, and decisions of banks. */
import type { FastifyInstance } from 'fastify';
import { captureKey, chargeKey } from '../../payments/charges/card/acquirerKeys';
import { applyChargeback, CHARGEBACK_STEPS, type ChargebackAction } from '../../payments/charges/card/chargeback';
import { applyDecision, DECISIONS, type Decision } from '../../payments/charges/pending/decide';
import { findTransaction } from '../../payments/charges/rows';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import { rejectOtherMethods } from '../methodNotAllowed';
import type { ServerDependencies } from '../request';
import { readSigned } from './signed';

export const NOTIFICATIONS = '/notifications/acquirer';

interface Notification {
  type?: unknown;
  key?: unknown;
  outcome?: unknown;
  authorization?: unknown;
}

export function addNotifications(server: FastifyInstance, { db, acquirerKey, environment }: ServerDependencies): void {
  server.post(NOTIFICATIONS, async (request, reply) => {
    const notification = parseNotification(readSigned(acquirerKey, request));
    const { key, outcome, authorization } = notification;
    const chargebackAction = isChargeback(notification) ? (outcome as ChargebackAction) : undefined;
    const decision = isDecision(notification) ? (outcome as Decision) : undefined;
    const id = typeof key === 'string' ? key.replace(/-.*/s, '') : '';
    if (!isId(id) || !(chargebackAction || decision)) throw new ApiError('malformed', 'unknown_notification');
    const charge = await findTransaction(db, { id, transaction_type: 'charge', merchant: { environment } });
    // The key is the ID of the charge, or the key of its order or capture.
    if (!charge || ![id, chargeKey(charge), captureKey(charge)].some(name => name === key))
      throw new ApiError('not_found');
    if (chargebackAction) await applyChargeback({ db }, charge, chargebackAction);
    if (decision)
      await applyDecision(db, charge, decision, typeof authorization === 'string' ? authorization.slice(0, 20) : null);
    return reply.status(204).send();
  });
  rejectOtherMethods(server, NOTIFICATIONS, ['POST']);
}

const isChargeback = ({ type, outcome }: Notification): boolean =>
  type === 'chargeback' && typeof outcome === 'string' && Object.hasOwn(CHARGEBACK_STEPS, outcome);

const isDecision = ({ type, outcome }: Notification): boolean =>
  type === 'payment' && DECISIONS.some(decision => decision === outcome);

function parseNotification(body: string): Notification {
  try {
    return (JSON.parse(body) ?? {}) as Notification;
  } catch {
    throw new ApiError('malformed', 'body_not_json');
  }
}
