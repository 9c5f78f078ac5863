import { randomBytes } from 'node:crypto';
import type { Prisma } from '../../prisma/generated/client';
import type { WebhookModel } from '../../prisma/generated/models';
import type { Context } from '../context';
import { clockOf } from '../database/clock';
import { ApiError } from '../platform/errors';
import { isId, newId } from '../platform/identifiers';
import { addressProblem } from '../sending/publicAddress';
import { seal } from '../vault/seal';
import type { CreateWebhook, Webhook } from './fields';

export type WebhookRow = WebhookModel;

/** For so long two secrets sign. */
const SECRET_OVERLAP_MS = 24 * 3_600_000;

/** Of one merchant: each gets a copy of everything. */
const MAX_WEBHOOKS = 50;

export const SECRET = /whsec_[0-9a-f]{48}/g;
const newSecret = (): string => `whsec_${randomBytes(24).toString('hex')}`;

export const toWebhook = ({ id, url, user, event_types, status, creation_date }: WebhookRow): Webhook => ({
  id,
  url,
  user,
  event_types,
  status: status as Webhook['status'],
  creation_date,
});

export async function findWebhook({ db, merchant_id }: Context, id: string): Promise<WebhookRow> {
  const row = isId(id) ? await db.webhook.findUnique({ where: { id, merchant_id } }) : null;
  if (!row) throw new ApiError('not_found');
  return row;
}

/** With the event that verifies it on its way. A repeat finds its own, whose secret it cannot show again: it gets a new one. */
export async function insertWebhook(
  context: Context,
  input: CreateWebhook,
): Promise<{ row: WebhookRow; secret: string }> {
  const { db, merchant_id, vault, environment } = context;
  const refusal = addressProblem(input.url, environment === 'production');
  if (refusal) throw new ApiError('invalid_value', `url ${refusal}`);
  const { user, password, event_types = [] } = input;
  for (const [name, text] of Object.entries({ user, password }))
    if (text !== undefined && /[\p{Cc}]/u.test(text))
      throw new ApiError('invalid_value', `${name} holds control characters`);
  if (user?.includes(':'))
    throw new ApiError('invalid_value', 'user holds a colon, which Basic authentication cannot say');
  const id = context.newId('webhook');
  const secret = newSecret();
  const { now } = await clockOf(db, merchant_id, null);
  const secrets = {
    secret_sealed: seal(vault, secret, `secret ${id}`),
    password_sealed: password ? seal(vault, password, `password ${id}`) : null,
  };
  const row = await db.$transaction(async tx => {
    const own = await tx.webhook.findUnique({ where: { id, merchant_id } });
    if (own) return tx.webhook.update({ where: { id }, data: { secret_sealed: secrets.secret_sealed } });
    if ((await tx.webhook.count({ where: { merchant_id } })) >= MAX_WEBHOOKS)
      throw new ApiError('not_allowed', `There are ${MAX_WEBHOOKS} webhooks already`);
    const about = { url: new URL(input.url).href, user: user || null, event_types: [...new Set(event_types)] };
    const verification_code = randomBytes(8).toString('hex');
    const made = await tx.webhook.create({
      data: { id, merchant_id, creation_date: now, ...about, ...secrets, verification_code },
    });
    await sendToWebhook(tx, made, 'verification', { verification_code }, now);
    return made;
  });
  return { row, secret };
}

/** An event for this webhook only. */
export async function sendToWebhook(
  tx: Prisma.TransactionClient,
  { id: webhook_id, merchant_id }: WebhookRow,
  type: 'verification' | 'test',
  object: Prisma.InputJsonObject,
  creation_date: Date,
) {
  await lockWebhook(tx, webhook_id);
  const event = await tx.event.create({
    data: { id: newId('event'), merchant_id, type, object_id: webhook_id, object, creation_date },
  });
  await tx.delivery.create({ data: { id: newId('delivery'), webhook_id, event_id: event.id } });
  return event;
}

/** So that nobody deletes it before the transaction is over. */
export async function lockWebhook(tx: Prisma.TransactionClient, id: string): Promise<void> {
  const found = await tx.$queryRaw<unknown[]>`select id from webhooks where id = ${id} for key share`;
  if (found.length === 0) throw new ApiError('not_found');
}

/** Unless somebody has deleted it meanwhile. */
export async function updateWebhook({ db }: Context, id: string, data: Prisma.WebhookUpdateInput): Promise<void> {
  const { count } = await db.webhook.updateMany({ where: { id }, data });
  if (count === 0) throw new ApiError('not_found');
}

/** The one before goes on to sign: what it is, is said by the statement, however many rotate at once. */
export async function rotateSecret({ db, vault }: Context, { id }: WebhookRow): Promise<string> {
  const secret = newSecret();
  const count = await db.$executeRaw`
    update webhooks set secret_old_sealed = secret_sealed, secret_old_until = ${new Date(Date.now() + SECRET_OVERLAP_MS)},
      secret_sealed = ${seal(vault, secret, `secret ${id}`)} where id = ${id}`;
  if (count === 0) throw new ApiError('not_found');
  return secret;
}
