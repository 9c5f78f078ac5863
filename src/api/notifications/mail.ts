/** Signed notifications of the mail provider: bounces and complaints about e-mails to payers. */
import type { FastifyInstance } from 'fastify';
import { markUndeliverable } from '../../notifications/email/payer/bounces';
import { ApiError } from '../../platform/errors';
import { parseJson } from '../json';
import { rejectOtherMethods } from '../methodNotAllowed';
import type { ServerDependencies } from '../request';
import { readSigned } from './signed';

const MAIL_NOTIFICATIONS = '/notifications/mail';

const STATUSES = { bounce: 'bounced', complaint: 'complained' } as const;

const isText = (value: unknown): value is string => typeof value === 'string';

/** Without a key, there is no such route. */
export function addMailNotifications(server: FastifyInstance, { db, mailKey }: ServerDependencies): void {
  if (mailKey === undefined) return;
  server.post(MAIL_NOTIFICATIONS, async (request, reply) => {
    const body = (parseJson(Buffer.from(readSigned(mailKey, request))) ?? {}) as Record<string, unknown>;
    const { type, email, message_id, permanent } = body;
    if (!isText(type) || !Object.hasOwn(STATUSES, type) || !isText(email) || !isText(message_id))
      throw new ApiError('malformed', 'unknown_notification');
    // The provider tries again after a temporary failure.
    if (type === 'bounce' && permanent !== true) return reply.status(204).send();
    const status = STATUSES[type as keyof typeof STATUSES];
    if (!(await markUndeliverable(db, { message_id, email, status }))) throw new ApiError('not_found');
    return reply.status(204).send();
  });
  rejectOtherMethods(server, MAIL_NOTIFICATIONS, ['POST']);
}
